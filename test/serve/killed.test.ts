import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { tempTree } from '../../src/testing/index.ts';
import { speak } from './speak.ts';

const kills = 30;
const lanes = 3;
const length = 4 * 1024 * 1024;
const versions = ['a'.repeat(length), 'b'.repeat(length)] as const;

test(`${kills} kills in the middle of writes leave old or new content, never a mix`, { timeout: 60_000 }, async () => {
  const seen = await Promise.all(Array.from({ length: lanes }, () => killAgainAndAgain(kills / lanes)));
  const all = seen.flat();
  console.error(JSON.stringify(all.map(({ others }) => others.length)));
  expect(all).toHaveLength(kills);
});

async function killAgainAndAgain(times: number): Promise<any[]> {
  using files = tempTree([`app/file.txt = ${versions[0]}`]);
  const seen = [];
  for (let turn = 0; turn < times; turn += 1) {
    const server = await speak({ args: [files.at('app')] });
    // The first one has to get through the pipe and to the disk; the next ones wait behind it.
    void server.call('write_file', { path: 'file.txt', content: versions[(turn + 1) % 2] });
    const started = performance.now();
    while (readdirSync(files.at('app')).length === 1 && performance.now() - started < 3000) await wait(0);
    await wait(Math.random()*4);
    process.kill(server.wire.pid ?? 0, 'SIGKILL');
    await server[Symbol.asyncDispose]();
    const content = readFileSync(files.at('app/file.txt'), 'utf8');
    expect(versions.includes(content as never)).toBe(true);
    const others = readdirSync(files.at('app')).filter((name) => name !== 'file.txt');
    seen.push({ others });
  }
  return seen;
}
