import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { confined, plain, refusing, run } from '../../../test/support/processes/run-in-sandbox.ts';
import { canRun, needs } from '../../../test/support/processes/system-programs.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import { openBoundary } from '../open-boundary.ts';
import type { Guard } from '../step/context.ts';
import { findLeakedHandles } from './confined-run.ts';
import type { FoundBubblewrap } from './confinement.ts';

const secret: Guard = refusing({ 'read list write remove execute': ['.env', 'keys', 'a/b/.env'] });

describe.runIf(process.platform === 'linux' && canRun('bwrap'))(
  `a program in a sandbox${needs('bwrap')}`,
  () => {
    test('runs in its directory, with its output, its exit code and its changes', async () => {
      using tree = tempTree(['src/a.txt = inside']);
      const end = await run(tree.path, 'pwd; cat a.txt; echo bad >&2; echo new > b.txt; exit 3', {
        cwd: 'src',
      });
      expect(end).toMatchObject({ code: 3, writable: true, hidden: 0 });
      expect(end.stdout.text).toBe(`${tree.at('src')}\ninside`);
      expect(end.stderr.text).toBe('bad\n');
      expect(readFileSync(tree.at('src/b.txt'), 'utf8')).toBe('new\n');
    });

    test('gets the directory that is held open, wherever its name leads by now', async () => {
      using tree = tempTree(['app/a.txt = inside', 'out/a.txt = outside']);
      await using boundary = await openBoundary(tree.at('app'));
      renameSync(tree.at('app'), tree.at('moved'));
      symlinkSync('out', tree.at('app'));
      expect(plain(tree.at('app'), 'cat a.txt')).toBe('outside');
      const end = await boundary.runConfined('.', await confined('cat a.txt'));
      expect(end.stdout.text).toBe('inside');
    });

    test('refuses to begin in a directory that a link leads out to', async () => {
      using tree = tempTree(['app/link => ../out', 'out/a.txt = outside']);
      expect(plain(tree.at('app/link'), 'cat a.txt')).toBe('outside');
      await expect(run(tree.at('app'), 'cat a.txt', { cwd: 'link' })).rejects.toMatchObject({
        code: 'OUTSIDE_ROOTS',
      });
    });

    test('inherits nothing: neither environment nor handles, not even through its parent', async () => {
      using tree = tempTree(['app/', 'secret = leaked']);
      process.env['ROOTWARD_TEST_SECRET'] = 'leaked';
      try {
        expect(plain(tree.path, 'env')).toContain('leaked');
        const end = await run(tree.at('app'), `env; cat /proc/1/environ /proc/*/environ | tr '\\0' '\\n'`);
        expect(end.stdout.text).toContain('HOME=/tmp');
        expect(end.stdout.text).not.toContain('leaked');
      } finally {
        delete process.env['ROOTWARD_TEST_SECRET'];
      }
      const handles = await run(tree.at('app'), 'ls /proc/self/fd /proc/1/fd; ls -l /proc/*/fd');
      expect(handles.stdout.text).not.toContain(tree.at('app'));
    });

    describe('cannot leave', () => {
      const escapes: Readonly<Record<string, (tree: TempTree) => string>> = {
        'by an absolute path': (tree) => `cat ${tree.at('secret')}`,
        'by ..': () => 'cat ../secret',
        'by a link': () => 'cat link',
        'by a link that it makes': (tree) => `ln -s ${tree.at('secret')} own; cat own`,
        'by a hard link that it makes': (tree) => `ln ${tree.at('secret')} own; cat own`,
        'by the directory of another process': (tree) =>
          `cat /proc/*/root${tree.at('secret')} /proc/*/cwd/../secret`,
      };
      test.each(Object.entries(escapes))('%s', async (_, command) => {
        using tree = tempTree(['app/link => ../secret', 'secret = TOP SECRET']);
        using control = tempTree(['app/link => ../secret', 'secret = TOP SECRET']);
        expect(plain(control.at('app'), command(control))).toContain('TOP SECRET');
        const { stdout, stderr } = await run(tree.at('app'), command(tree));
        expect(stdout.text + stderr.text).not.toContain('TOP SECRET');
      });

      const writes: Readonly<Record<string, (tree: TempTree) => string>> = {
        'to a neighbour': (tree) => `echo x > ${tree.at('out/new')}`,
        'through ..': () => 'echo x > ../out/new',
        'through a link': () => 'echo x > link/new',
      };
      test.each(Object.entries(writes))('with what it writes: %s', async (_, command) => {
        using tree = tempTree(['app/link => ../out', 'out/']);
        await run(tree.at('app'), command(tree));
        expect(existsSync(tree.at('out/new'))).toBe(false);
        plain(tree.at('app'), command(tree));
        expect(existsSync(tree.at('out/new'))).toBe(true);
      });

      test('to the files of the system', async () => {
        using tree = tempTree();
        const read = 'head -c 5 /etc/shadow';
        const control = spawnSync('bash', ['-c', read], { encoding: 'utf8' });
        const end = await run(tree.path, read);
        expect(end.stdout.text).toBe('');
        expect(end.stderr.text).toContain('No such file');
        // As an ordinary user it cannot be read anyway.
        expect(control.stdout + control.stderr).toMatch(process.getuid?.() === 0 ? /^root:/ : /denied/);
        const write = await run(
          tree.path,
          'touch /usr/x /etc/x /x /dev/x /home/x; ls -d /sys /home /root /var /run',
        );
        expect(write.stdout.text).toBe('');
        expect(write.code).not.toBe(0);
      });

      test('by the settings of the kernel, which only check the user', async () => {
        using tree = tempTree();
        const writable =
          '[ -w /proc/sys/kernel/core_pattern ] && echo writable; [ -r /proc/kmsg ] && cat /proc/kmsg | head -c 1';
        if (process.getuid?.() === 0)
          expect(plain(tree.path, '[ -w /proc/sys/kernel/core_pattern ] && echo writable')).toBe(
            'writable\n',
          );
        const { stdout } = await run(tree.path, writable);
        expect(stdout.text).toBe('');
      });

      test('with rights of its own, or namespaces', async () => {
        using tree = tempTree();
        const { stdout, stderr } = await run(
          tree.path,
          'grep CapEff /proc/self/status; unshare -U true; mount -t tmpfs x /tmp',
        );
        expect(stdout.text).toBe('CapEff:\t0000000000000000\n');
        expect(stderr.text).toMatch(/unshare/);
        expect(stderr.text).toMatch(/mount/);
      });

      test('to other processes', async () => {
        using tree = tempTree();
        const other = spawn('sleep', ['600'], { stdio: 'ignore' });
        const ended = once(other, 'exit');
        try {
          const { stdout } = await run(
            tree.path,
            `kill -9 ${other.pid} && echo killed; ls -d /proc/${other.pid}; kill -9 -1`,
          );
          expect(stdout.text).toBe('');
          expect(other.exitCode ?? other.signalCode).toBeNull();
        } finally {
          plain(tree.path, `kill -9 ${other.pid}`);
        }
        expect(await ended).toEqual([null, 'SIGKILL']);
      });
    });

    describe('and the network', () => {
      async function listening(): Promise<{ port: number; close: () => void }> {
        const server = createServer((socket) => socket.end('reached'));
        server.listen(0, '127.0.0.1');
        await once(server, 'listening');
        const address = server.address();
        if (address === null || typeof address === 'string') throw new Error('no port');
        return { port: address.port, close: () => server.close() };
      }
      const dial = (port: number): string => `cat < /dev/tcp/127.0.0.1/${port}`;

      test('is not there', async () => {
        using tree = tempTree();
        const { port, close } = await listening();
        try {
          const socket = connect(port, '127.0.0.1');
          expect(String((await once(socket, 'data'))[0])).toBe('reached');
          expect((await run(tree.path, dial(port))).stdout.text).toBe('');
          expect((await run(tree.path, dial(port), { network: true })).stdout.text).toBe('reached');
        } finally {
          close();
        }
      });
    });

    describe('and the rules', () => {
      test('cannot read denied files, by any path', async () => {
        const entries = ['.env = TOP SECRET', 'keys/a = TOP SECRET', 'a/b/.env = TOP SECRET', 'open = seen'];
        const command =
          'cat .env keys/a a/b/.env link open; cat < .env; ls keys; cp .env copy; cat copy; grep -r TOP .';
        using control = tempTree([...entries, 'link => .env']);
        expect(plain(control.path, command)).toContain('TOP SECRET');
        using tree = tempTree([...entries, 'link => .env']);
        const { stdout, stderr, hidden } = await run(tree.path, command, { guard: secret });
        expect(hidden).toBe(3);
        expect(stdout.text).toBe('seen');
        expect(stderr.text).toBe('cat: keys/a: No such file or directory\n');
      });

      test('can use Git, whose settings are hidden', async () => {
        using tree = tempTree(['a.txt']);
        plain(tree.path, 'git init -q -b main; git config user.name TOPSECRET; git add a.txt');
        expect(plain(tree.path, 'git config user.name')).toBe('TOPSECRET\n');
        const guard = refusing({
          'write remove': ['.git'],
          'read list write remove execute': ['.git/config'],
        });
        const command = 'git status --short --branch; git config user.name; cat .git/config';
        const { stdout } = await run(tree.path, command, { guard });
        expect(stdout.text).toBe('## No commits yet on main\nA  a.txt\n');
      });

      test('cannot move them to where rules do not apply', async () => {
        const entries = ['a/b/.env = TOP SECRET', 'a/b/other', 'a/x', 'c/'];
        const command =
          'mv a/b moved; mv a moved; mv a/b/.env a/b/env; mv a/x c/; cat moved/.env moved/b/.env a/b/env';
        using control = tempTree(entries);
        expect(plain(control.path, command)).toContain('TOP SECRET');
        using tree = tempTree(entries);
        await run(tree.path, command, { guard: secret });
        expect(readFileSync(tree.at('a/b/.env'), 'utf8')).toBe('TOP SECRET');
        // What has nothing to do with it moves freely.
        expect(existsSync(tree.at('c/x'))).toBe(true);
      });

      test('cannot change read-only files', async () => {
        const guard = refusing({
          'write remove': ['.git'],
          'read list write remove execute': ['.git/config'],
        });
        const entries = ['.git/hooks/', '.git/HEAD = ref', '.git/config = TOP SECRET'];
        const command =
          'cat .git/HEAD .git/config; echo x > .git/hooks/pre-commit; rm -rf .git; mv .git g; echo ok > a.txt';
        using control = tempTree(entries);
        expect(plain(control.path, command)).toContain('TOP SECRET');
        expect(existsSync(control.at('.git'))).toBe(false);
        using tree = tempTree(entries);
        const { stdout } = await run(tree.path, command, { guard });
        expect(stdout.text).toBe('ref');
        expect(existsSync(tree.at('.git/hooks/pre-commit'))).toBe(false);
        expect(readFileSync(tree.at('.git/config'), 'utf8')).toBe('TOP SECRET');
        expect(readFileSync(tree.at('a.txt'), 'utf8')).toBe('ok\n');
      });

      test.each(['write', 'remove'])(
        'may change nothing where the root does not allow %s',
        async (operation) => {
          using tree = tempTree(['a.txt = before', 'sub/.env = x']);
          const guard = refusing({ [operation]: ['.'], read: ['sub/.env'] });
          const { stdout, stderr, writable } = await run(
            tree.path,
            'cat a.txt; echo after > a.txt; rm a.txt; mv sub s2; cat sub/.env',
            { guard },
          );
          expect(writable).toBe(false);
          expect(stdout.text).toBe('before');
          expect(stderr.text).toContain('Read-only file system');
          expect(readFileSync(tree.at('a.txt'), 'utf8')).toBe('before');
        },
      );

      test.each(['read', 'list', 'execute'])(
        'does not run where the root does not allow %s',
        async (operation) => {
          using tree = tempTree(['a.txt']);
          await expect(run(tree.path, 'true', { guard: refusing({ [operation]: ['.'] }) })).rejects.toThrow(
            `no ${operation} on .`,
          );
        },
      );

      test('cannot reach a process that listens at a socket or a pipe in the root', async () => {
        using tree = tempTree(['pipe|', 'a.txt']);
        const server = createServer();
        server.listen(tree.at('listening.sock'));
        await once(server, 'listening');
        try {
          const { stdout, hidden } = await run(
            tree.path,
            'for f in listening.sock pipe; do [ -S $f ] || [ -p $f ] || echo gone; done',
          );
          expect(hidden).toBe(2);
          expect(stdout.text).toBe('gone\ngone\n');
        } finally {
          server.close();
        }
      });
    });

    test('does not run where the sandbox cannot be made', async () => {
      using tree = tempTree(['a.txt']);
      await using boundary = await openBoundary(tree.path);
      const options = await confined('echo ran');
      for (const program of ['/bin/true', tree.at('nothing')]) {
        const broken: FoundBubblewrap = { kind: 'bubblewrap', program, version: '0', refusesNesting: true };
        await expect(boundary.runConfined('.', { ...options, confinement: broken })).rejects.toMatchObject({
          code: 'CANNOT_CONFINE',
          message: 'Cannot run a program in ".": the sandbox could not be set up',
        });
      }
    });

    test('does not run where the root is one file, or a place of the system', async () => {
      using tree = tempTree(['a.txt']);
      await expect(run(tree.at('a.txt'), 'true')).rejects.toMatchObject({ code: 'NOT_A_DIRECTORY' });
      await expect(run('/proc/self', 'true')).rejects.toMatchObject({ code: 'CANNOT_CONFINE' });
      await expect(run('/', 'true')).rejects.toMatchObject({ code: 'CANNOT_CONFINE' });
    });

    test('leaves the files of the root as they were', async () => {
      using tree = tempTree(['.env = x', 'keys/a', 'a/b/.env = y']);
      await run(tree.path, 'true', { guard: secret });
      expect(plain(tree.path, 'find . | sort | tr "\\n" " "')).toBe(
        '. ./.env ./a ./a/b ./a/b/.env ./keys ./keys/a ',
      );
      writeFileSync(tree.at('.env'), 'still writable');
    });
  },
);

const compiled = fileURLToPath(
  new URL('../../../.build/src/boundary/process/confined-run.js', import.meta.url),
);

test('handles that this process opened itself are not inherited', () => {
  const fd = openSync('.', 'r');
  expect(findLeakedHandles()).not.toContain(fd);
  closeSync(fd);
});

test.runIf(process.platform === 'linux')('handles that its parent left open are', () => {
  const script = `import(${JSON.stringify(compiled)}).then(({ findLeakedHandles }) => console.log(findLeakedHandles().includes(77)))`;
  const command = `exec 77</dev/null; "$0" -e '${script}'; exec 77<&-; "$0" -e '${script}'`;
  const { stdout } = spawnSync('bash', ['-c', command, process.execPath], { encoding: 'utf8' });
  expect(stdout).toBe('true\nfalse\n');
});
