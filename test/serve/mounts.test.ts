import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { difficultClients, tempTree } from '../../src/testing/index.ts';
import { type OwnCommand, referenceCommand, serveCommand } from './command.ts';
import { type Spoken, speakTo } from './speak.ts';

/* H15: mounts, each in a namespace of its own, so that nothing of this machine changes. */

const isolated = ['-U', '-r', '-m'] as const;

function canMount(): boolean {
  using tree = tempTree(['from/', 'to/']);
  const { status } = spawnSync('unshare', [...isolated, 'mount', '--bind', tree.at('from'), tree.at('to')]);
  return status === 0;
}

const isPossible = process.platform === 'linux' && canMount();
const reason = isPossible ? '' : ' (this system permits no mounts to its users)';

/** The same command, where one directory lies over another. */
function withMount(command: OwnCommand, from: string, to: string): OwnCommand {
  const script = 'mount --bind "$1" "$2" && shift 2 && exec "$@"';
  const args = [...isolated, 'sh', '-c', script, 'sh', from, to, command.command, ...command.args];
  return { ...command, command: 'unshare', args };
}

function start(command: OwnCommand): Promise<Spoken> {
  return speakTo(command, { client: difficultClients.undeclared, roots: [] });
}

describe.runIf(isPossible)(`H15: mounts${reason}`, () => {
  test('what whoever runs the machine mounted into the root belongs to it, and nothing leads out of it', async () => {
    using tree = tempTree([
      'app/there/',
      'other/a.txt = mounted',
      'other/up => ../secret',
      'secret = TOP-SECRET',
    ]);
    const place = [tree.at('other'), tree.at('app/there')] as const;
    await using ours = await start(withMount(serveCommand({ args: [tree.at('app')] }), ...place));
    await using theirs = await start(withMount(referenceCommand(tree.at('app')), ...place));
    for (const server of [ours, theirs])
      expect(await server.call('read_text_file', { path: tree.at('app/there/a.txt') })).toMatchObject({
        text: 'mounted',
      });
    for (const path of ['app/there/../../secret', 'app/there/up/../../secret', 'other/a.txt'])
      expect(await ours.call('read_text_file', { path: tree.at('app') + path.slice(3) })).toMatchObject({
        refused: true,
      });
    expect(await ours.call('remove_file', { path: tree.at('app/there') })).toMatchObject({ refused: true });
  });

  test('a link through the mounts of another process is not followed, whatever its text says', async () => {
    using tree = tempTree(['app/x/', 'outside/secret = TOP-SECRET']);
    const holder = spawn('unshare', [
      ...isolated,
      'sh',
      '-c',
      'mount --bind "$1" "$2" && echo ready && exec sleep 60',
      'sh',
      tree.at('outside'),
      tree.at('app/x'),
    ]);
    try {
      await once(holder.stdout, 'data', { signal: AbortSignal.timeout(10_000) });
      const inside = `/proc/${mounterOf(holder)}/root${tree.at('app/x/secret')}`;
      tree.add(`app/link => ${inside}`, `app/dir => ${inside.slice(0, -'/secret'.length)}`);
      // To whoever follows it there is something to be had.
      expect(readFileSync(tree.at('app/link'), 'utf8')).toBe('TOP-SECRET');
      await using ours = await start(serveCommand({ args: [tree.at('app')] }));
      for (const path of ['link', 'dir/secret', inside])
        expect(await ours.call('read_text_file', { path })).toMatchObject({
          refused: true,
          code: 'OUTSIDE_ROOTS',
        });
    } finally {
      holder.kill('SIGKILL');
    }
  });
});

/** The process that has the mount: `unshare` becomes the shell, and that becomes `sleep`. */
function mounterOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('It did not start');
  return pid;
}
