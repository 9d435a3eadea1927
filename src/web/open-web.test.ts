import { expect, test } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { openWeb } from './open-web.ts';

test('listens on this machine, gives links, and closes', async () => {
  using tree = tempTree(['page/index.html = <p>']);
  const web = await openWeb({
    file: tree.at('roots.jsonc'),
    log: tree.at('log'),
    state: tree.at('state'),
    tops: [],
    version: '1',
    page: tree.at('page'),
  });
  expect(web.link()).not.toBe(web.link());
  expect((await fetch(`http://127.0.0.1:${web.port}/`)).status).toBe(200);
  await Promise.all([web.close(), web.close()]);
  await web.ended;
  await expect(fetch(`http://127.0.0.1:${web.port}/`)).rejects.toThrow();
});
