// Opens two stores at each address, lets one see what the other wrote and hear what it says, and tells which did.
import { openRedisStore } from '../../../.build/src/sessions/redis/redis-store.js';

const open = (address) => openRedisStore({ address, secrets: [Buffer.alloc(32, 7)] });

for (const address of process.argv.slice(2)) {
  try {
    const [one, other] = [await open(address), await open(address)];
    const start = { principal: 'me', protocolVersion: '2025-11-25', initialize: {} };
    const session = crypto.randomUUID();
    await one.create({ ...start, id: session });
    const heard = new Promise((resolve) => other.onDeliver(({ message }) => (resolve(message), true)));
    const generation = await other.invalidate(session);
    await one.deliver(other.nodeId, { session, principal: 'me', message: 'hello' });
    process.stdout.write(`${JSON.stringify({ generation, heard: await heard })}\n`);
    await Promise.all([one.close(), other.close()]);
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ error: error.message })}\n`);
  }
}
