// Opens the store as a node with a given id, says so, and stays until it is told to end.
import { openRedisStore } from '../../../.build/src/sessions/redis/redis-store.js';

const [address, nodeId] = process.argv.slice(2);
try {
  await openRedisStore({ address, nodeId, secrets: [Buffer.alloc(32)] });
  process.stdout.write('opened\n');
} catch (error) {
  process.stdout.write(`${error.message}\n`);
  process.exit(3);
}
