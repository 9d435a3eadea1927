import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runInMemory } from '../../test/run-in-memory.ts';
import { startHttp } from '../../test/serve/start-http.ts';
import { tempTree } from '../testing/temp-tree.ts';

test('settings that make no sense are said before anything is opened', async () => {
  using tree = tempTree([]);
  const env = { ROOTWARD_HOME: tree.at('home') };
  const result = await runInMemory(tree.path, ['serve', '--config', 'nothing.jsonc'], env);
  expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('nothing.jsonc') });
  expect(existsSync(tree.at('home'))).toBe(false);
});

test('serves over HTTP where it is told so, and ends when it is told so', async () => {
  await using server = await startHttp();
  expect((await fetch(new URL('/healthz', server.url))).status).toBe(200);
  process.kill(server.pid, 'SIGTERM');
  expect(await server.ended).toBe(0);
});
