import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type TempTree, tempTree } from '../../../src/testing/index.ts';
import { programInModules } from '../../support/processes/program.ts';
import { speak, type Spoken } from '../../support/processes/speak.ts';

const tools = fileURLToPath(new URL('../../support/processes/blocking-tools.mjs', import.meta.url));
const done = { refused: false, text: 'done' };
const ended = { refused: true, code: 'TOO_MUCH_WORK' };
/** All that is said of a call that is not ended. */
const named = (tool: string): RegExp =>
  new RegExp(`^Everything else had to wait for \\d+\\.\\d s while this ran: ${tool}\\n$`);

async function start(tree: TempTree, ...node: readonly string[]): Promise<Spoken> {
  return speak({
    args: [tree.path, '--allow', 'write'],
    node: ['--import', tools, ...node],
    program: programInModules,
    // Two seconds of processor time are many more where others compute.
    bound: 55_000,
  });
}

test('a process that was suspended while it computed goes on with it', async () => {
  using tree = tempTree();
  await using server = await start(tree);
  const computing = server.call('compute', { path: 'begun.txt' });
  await expect.poll(() => existsSync(tree.at('begun.txt')), { timeout: 20_000, interval: 5 }).toBe(true);
  process.kill(server.wire.pid ?? 0, 'SIGSTOP');
  await setTimeout(3_000);
  process.kill(server.wire.pid ?? 0, 'SIGCONT');
  expect(await computing).toMatchObject(done);
  expect(server.wire.stderr()).not.toContain('It was ended');
});

describe('one after the other, each with a processor for itself', { timeout: 120_000 }, () => {
  test('a call that holds the process is ended and refused, and others go on', async () => {
    using tree = tempTree(['a.txt = A']);
    await using server = await start(tree);
    const waiting = server.call('wait');
    expect(await server.call('spin_in_act')).toMatchObject(ended);
    expect(await waiting).toMatchObject(done);
    expect(server.wire.stderr()).toMatch(
      /had to wait for \d+\.\d s while this ran: .*spin_in_act.* It was ended/,
    );
    const lines = readFileSync(`${server.home}/log/audit.jsonl`, 'utf8').trimEnd().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries.find(({ tool }) => tool === 'spin_in_act')).toMatchObject({
      outcome: 'failed',
      changed: [{ kind: 'written', place: 'a.txt' }],
    });
    expect(await server.call('read_text_file', { path: 'a.txt' })).toMatchObject({ text: 'half' });
    expect(await server.wire.leave()).toEqual({ code: 0, signal: null, stopped: false });
  });

  test('the first call of a process is watched as well, and asks for no file', async () => {
    using tree = tempTree(['a.txt = A']);
    await using server = await start(tree);
    const answer = await server.call('spin');
    expect(answer).toMatchObject(ended);
    expect(answer.text).toContain('Cannot run "spin": it takes too long');
    expect(await server.call('read_text_file', { path: 'a.txt' })).toMatchObject({ text: 'A' });
    expect(await server.wire.leave()).toEqual({ code: 0, signal: null, stopped: false });
  });

  test('a call that waits in the kernel, or computes in a callback of Node, is named and not ended', async () => {
    using tree = tempTree(['a.txt = A']);
    await using server = await start(tree);
    for (const tool of ['wait_in_kernel', 'spin_in_timer']) {
      const before = server.wire.stderr().length;
      expect(await server.call(tool)).toMatchObject(done);
      const said = (): string => server.wire.stderr().slice(before);
      await expect.poll(said).toMatch(named(tool));
    }
  });
});
