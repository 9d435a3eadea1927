import { once } from 'node:events';
import { get } from 'node:http';
import { expect, test } from 'vitest';
import { expose, openRootStore } from '../../../src/client/index.ts';
import { openPageHost } from '../../../src/web/index.ts';
import { announce } from '../../../src/web/processes/running.ts';
import type { ProcessView } from '../../../src/web/wire/wire.ts';
import { pairs } from '../../support/peers/client-pairs.ts';
import { openOwnWeb, prefixOf, signIn } from '../../support/browser/open-page.ts';

test('a host puts to the page what a server wants to see, and keeps the answer', async () => {
  await using own = await openOwnWeb({ entries: ['work/app/'] });
  const page = await signIn(own.web);
  const stream = get({
    host: '127.0.0.1',
    port: own.web.port,
    path: `${prefixOf(own.web)}/api/events`,
    headers: { cookie: page.cookie, host: `127.0.0.1:${own.web.port}` },
  }).on('error', () => {});
  await once(stream, 'response');
  await untilPageIsThere(own.options.state);
  await using host = await openPageHost({ version: '1', state: own.options.state });
  await using store = await openRootStore({ file: own.options.file ?? '' });
  await store.add(own.tree.at('work/app'));
  const pair = pairs['SDK v2, 2025']?.();
  if (pair === undefined) throw new Error('there is no such pair');
  const server = { name: 'near', url: 'http://127.0.0.1:3000/mcp' };
  expose(pair.client, store, { server, askFor: ['loopback'], ask: host.ask, debounce: 5 });
  await pair.connect();
  const listed = pair.ask();
  const find = async () => {
    const running = (await page.get('/api/running')) as readonly ProcessView[];
    const asking = running.find(({ command }) => command === 'host');
    const [question] = asking?.questions ?? [];
    return asking && question && { process: asking.id, question };
  };
  await expect.poll(find, { timeout: 20_000 }).toMatchObject({
    question: { kind: 'exposure', who: 'near', roots: ['app'], places: [own.tree.at('work/app')] },
  });
  const { process, question } = (await find()) ?? {};
  await page.post('/api/consent', { process, question: question?.id, answer: 'always' });
  expect(await listed).toMatchObject({ roots: [{ name: 'app' }] });
  await expect
    .poll(async () => (await store.refresh()).roots[0]?.grants)
    .toMatchObject([{ server: 'near', answer: 'always' }]);
  await pair.client.close();
  stream.destroy();
});

/** A process that asks before it knows of the page is told that there is none. */
async function untilPageIsThere(state: string): Promise<void> {
  const said = { command: 'serve', version: '1', directory: '/', connections: [] } as const;
  const announcement = await announce(state, said);
  await expect.poll(() => announcement.findPage()).toBeDefined();
  await announcement.close();
}
