import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { probeConfinement } from '../../../src/boundary/process/confinement.ts';
import { difficultClients, tempTree } from '../../../src/testing/index.ts';
import { type OwnCommand, referenceCommand, serveCommand } from '../../support/processes/command.ts';
import { type Spoken, speakTo } from '../../support/processes/speak.ts';

/* H15: mounts, each in a namespace of its own, so that nothing of this machine changes. */

const confinement = await probeConfinement();

const isolated = ['-U', '-r', '-m'] as const;

function canMount(): boolean {
  using tree = tempTree(['from/', 'to/']);
  const { status } = spawnSync('unshare', [...isolated, 'mount', '--bind', tree.at('from'), tree.at('to')]);
  return status === 0;
}

const isPossible = process.platform === 'linux' && canMount();
const reason = isPossible ? '' : ' (this system permits no mounts to its users)';

/** The same command, where one directory lies over another. */
function withMount(
  command: OwnCommand,
  from: string,
  to: string,
  mount = 'mount --bind "$1" "$2"',
): OwnCommand {
  const script = `${mount} && shift 2 && exec "$@"`;
  const args = [...isolated, 'sh', '-c', script, 'sh', from, to, command.command, ...command.args];
  return { ...command, command: 'unshare', args };
}

function start(command: OwnCommand): Promise<Spoken> {
  return speakTo(command, { client: difficultClients.undeclared, roots: [] });
}

describe.runIf(isPossible)(`H15: mounts${reason}`, () => {
  test('a mount inside the root belongs to it, and nothing leads out of it', async () => {
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

  /** What is asked about the mount `there`, and what tells that it was reached. */
  const reaches: readonly (readonly [tool: string, input: object, reached: string])[] = [
    ['read_text_file', { path: 'there/a.txt' }, 'needle'],
    ['read_multiple_files', { paths: ['there/a.txt'] }, 'needle'],
    ['get_file_info', { path: 'there/a.txt' }, 'size'],
    ['list_directory', { path: 'there' }, 'a.txt'],
    ['directory_tree', { path: '.' }, 'a.txt'],
    ['search_files', { path: '.', pattern: '**/a.*' }, 'a.txt'],
    ['find_files', { globs: ['a.*'] }, 'a.txt'],
    ['search_text', { pattern: 'needle' }, 'a.txt'],
    ['search_text', { pattern: 'needle', path: 'there' }, 'a.txt'],
    ['copy_file', { source: 'there/a.txt', destination: 'copy.txt' }, 'copy.txt'],
    ['write_file', { path: 'there/b.txt', content: 'b' }, 'Successfully'],
    ['create_directory', { path: 'there/c' }, 'Successfully'],
    ...(confinement.kind === 'none' ? [] : [['shell', { command: 'cat there/a*' }, 'needle'] as const]),
    ['move_file', { source: 'there/b.txt', destination: 'there/d.txt' }, 'Successfully'],
  ];

  test.each([
    ['a directory of the same disk', undefined],
    ['another file system', 'mount -t tmpfs none "$2" && cp "$1/a.txt" "$2"'],
  ])('with --one-filesystem %s is as good as outside, and without it is not', async (_title, mount) => {
    using tree = tempTree(['app/there/', 'app/own.txt = own', 'other/a.txt = needle']);
    const place = [tree.at('other'), tree.at('app/there'), mount] as const;
    const args = [tree.at('app'), '--allow', 'remove,execute'];
    const guarded = serveCommand({ args: [...args, '--one-filesystem'] });
    await using strict = await start(withMount(guarded, ...place));
    await using plain = await start(withMount(serveCommand({ args }), ...place));
    for (const [tool, input, reached] of reaches) {
      const refused = await strict.call(tool, { ...input });
      expect({ tool, text: refused.text.replaceAll('there/a.txt', '') }).toEqual({
        tool,
        text: expect.not.stringContaining(reached) as unknown,
      });
      const open = await plain.call(tool, { ...input });
      expect({ tool, text: open.text }).toEqual({ tool, text: expect.stringContaining(reached) as unknown });
    }
    const refusal = { refused: true, code: 'OTHER_MOUNT' };
    expect(await strict.call('read_text_file', { path: 'there/a.txt' })).toMatchObject(refusal);
    expect(await strict.call('list_directory', { path: 'there' })).toMatchObject(refusal);
  });

  test('a mount that is named itself is reached, with --one-filesystem too', async () => {
    using tree = tempTree(['app/there/', 'app/own.txt = own', 'other/a.txt = needle']);
    const named = serveCommand({
      args: [tree.at('app'), tree.at('app/there')],
      env: { ROOTWARD_ONE_FILESYSTEM: '1' },
    });
    await using server = await start(withMount(named, tree.at('other'), tree.at('app/there')));
    expect(await server.call('read_text_file', { path: tree.at('app/there/a.txt') })).toMatchObject({
      text: 'needle',
    });
    expect(await server.call('read_text_file', { path: tree.at('app/own.txt') })).toMatchObject({
      text: 'own',
    });
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
      // A reader that follows it gets something.
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
