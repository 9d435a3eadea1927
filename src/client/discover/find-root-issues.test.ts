import { execFileSync } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { bindMount, mayMount } from '../../../test/support/trees/mounting.ts';
import { parseRoot } from '../../path/root.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import {
  compareRoots,
  findRootIssues,
  type FindRootIssuesOptions,
  type RootEntry,
  type SeenRoot,
} from './find-root-issues.ts';

const nowhere: FindRootIssuesOptions = { around: { home: '/home/somebody', temporary: '/tmp' } };

async function find(
  entries: RootEntry | readonly RootEntry[],
  options: FindRootIssuesOptions = nowhere,
): Promise<readonly string[]> {
  const found = await findRootIssues(entries, options);
  return found.map(({ severity, code }) => `${severity} ${code}`);
}

function uriOf(path: string): RootEntry {
  return { uri: pathToFileURL(path).href };
}

describe('seed 004, RootSecurityValidator', () => {
  test('"Only file:// URIs are supported": http://example.com/path', async () => {
    const [finding] = await findRootIssues({ uri: 'http://example.com/path' });
    expect(finding).toMatchObject({
      code: 'foreign-scheme',
      severity: 'error',
      index: 0,
      message: 'Cannot use root "http://example.com/path": its scheme is not "file"',
      hint: 'Run the server where the files are',
    });
  });

  test.each(['/etc', '/etc/ssl', '/usr/bin', '/System', '/System/Library'])(
    '"Path is not safe for sharing": %s',
    async (path) => {
      expect(await find(uriOf(path))).toContain('error sensitive');
    },
  );

  test.each(['.ssh', '.aws', '.ssh/keys'])('"Path is not safe for sharing": HOME/%s', async (name) => {
    using tree = tempTree(['home/.ssh/keys/id', 'home/.aws/credentials']);
    const options = { around: { home: tree.at('home') } };
    expect(await find(uriOf(tree.at('home', name)), options)).toEqual(['error sensitive']);
  });

  test('names with the same prefix are safe, where a text comparison would refuse them', async () => {
    using tree = tempTree(['home/.ssh-tools/', 'home/.aws-samples/', 'home/etc/']);
    const options = { around: { home: tree.at('home') } };
    const paths = ['.ssh-tools', '.aws-samples', 'etc'].map((name) => tree.at('home', name));
    expect(paths.filter((path) => path.startsWith(tree.at('home/.ssh')))).toHaveLength(1);
    expect(await find(paths, options)).toEqual([]);
  });

  test('refuses a path with ".." before it looks at the disk', async () => {
    expect(await find({ uri: 'file:///srv/app/../../etc' })).toEqual(['error invalid']);
  });

  test('"Path is not accessible": nothing there', async () => {
    using tree = tempTree();
    expect(await find(uriOf(tree.at('none')))).toEqual(['error missing']);
  });

  test('both a directory and a file may be shared', async () => {
    using tree = tempTree(['project/', 'config/settings.json', 'home/.bashrc']);
    const paths = ['project', 'config/settings.json', 'home/.bashrc'].map((path) => tree.at(path));
    expect(await find(paths, { around: { home: tree.at('home') } })).toEqual([]);
  });
});

describe('a link', () => {
  test('to a sensitive place counts as that place, whatever its name', async () => {
    using tree = tempTree(['home/.ssh/id', 'home/project/']);
    tree.add('home/project/docs => $TREE/home/.ssh');
    const path = tree.at('home/project/docs');
    // Its text is harmless, and plain node:fs reads the key through it.
    expect(path).not.toContain('.ssh');
    expect(statSync(`${path}/id`).isFile()).toBe(true);
    const found = await findRootIssues(path, { around: { home: tree.at('home') } });
    expect(found.map(({ code }) => code)).toEqual(['leads-elsewhere', 'sensitive']);
    expect(found.every(({ real }) => real === tree.at('home/.ssh'))).toBe(true);
    expect(found.map(({ message }) => message).join('')).not.toContain('.ssh');
  });

  test('that leads elsewhere is a warning, also within the path', async () => {
    using tree = tempTree(['a/real/app/', 'a/link => real']);
    expect(await find(tree.at('a/link'))).toEqual(['warning leads-elsewhere']);
    expect(await find(tree.at('a/link/app'))).toEqual(['warning leads-elsewhere']);
    expect(await find(tree.at('a/real/app'))).toEqual([]);
  });

  test('that leads nowhere counts as missing', async () => {
    using tree = tempTree(['link => none']);
    expect(await find(tree.at('link'))).toEqual(['error missing']);
  });
});

describe('too broad', () => {
  test('is the whole file system', async () => {
    expect(await find(['/', { uri: 'file:///' }])).toEqual([
      'error whole-file-system',
      'error whole-file-system',
    ]);
  });

  test('is the home directory, which also contains sensitive places', async () => {
    using tree = tempTree(['home/.ssh/id', 'home/.aws/', 'home/.gnupg/', 'home/.kube/', 'home/.netrc']);
    const found = await findRootIssues(tree.at('home'), { around: { home: tree.at('home') } });
    expect(found.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
      'warning too-broad',
      'warning holds-sensitive',
    ]);
    expect(found[1]?.message).toMatch(
      /: it holds what is not for sharing: \.ssh, \.gnupg, \.aws and 2 more$/,
    );
  });

  test('is any directory above home, and the temporary directory', async () => {
    using tree = tempTree(['homes/me/', 'tmp/']);
    const around = { home: tree.at('homes/me'), temporary: tree.at('tmp') };
    expect(await find([tree.at('homes'), tree.at('tmp')], { around })).toEqual([
      'warning too-broad',
      'warning too-broad',
    ]);
  });

  test('is a drive, by the rules of Windows', async () => {
    const around = { platform: 'win32', home: 'C:\\Users\\me' } as const;
    expect(await find(['C:\\', 'file:///D:/'], { around })).toEqual([
      'error whole-file-system',
      'error whole-file-system',
    ]);
    expect(await find('C:\\Windows\\System32', { around })).toContain('error sensitive');
    expect(await find('C:\\Users\\me\\.SSH', { around })).toContain('error sensitive');
    expect(await find('C:\\WindowsApps', { around })).not.toContain('error sensitive');
  });
});

describe('several roots', () => {
  test('the same place twice, under any name', async () => {
    using tree = tempTree(['app/', 'link => app']);
    const found = await findRootIssues([tree.at('app'), tree.at('link'), `${tree.at('app')}/`], nowhere);
    expect(found.map(({ index, code }) => `${index} ${code}`)).toEqual([
      '1 leads-elsewhere',
      '1 duplicate',
      '2 duplicate',
    ]);
  });

  test('one in another', async () => {
    using tree = tempTree(['app/docs/', 'app-old/']);
    const found = await findRootIssues(
      ['app/docs', 'app', 'app-old'].map((path) => tree.at(path)),
      nowhere,
    );
    expect(found).toMatchObject([
      { index: 0, code: 'nested', severity: 'warning', message: expect.stringMatching(/it lies in "app"$/) },
    ]);
  });

  test('are judged one by one, however many', async () => {
    using tree = tempTree(Array.from({ length: 200 }, (_, count) => `r${count}/`));
    const entries = Array.from({ length: 200 }, (_, count) => tree.at(count === 77 ? 'none' : `r${count}`));
    const found = await findRootIssues(entries, nowhere);
    expect(found.map(({ index, code }) => `${index} ${code}`)).toEqual(['77 missing']);
  });

  test('end with their signal', async () => {
    await expect(findRootIssues(['/a'], { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });
});

describe('the files Rootward decides by', () => {
  test('are sensitive, and so are directories in or around them', async () => {
    using tree = tempTree(['me/.config/rootward/log/', 'me/.config/other/', 'me/app/']);
    const options = { ...nowhere, own: [tree.at('me/.config/rootward')] };
    const paths = ['me/.config/rootward', 'me/.config/rootward/log', 'me/.config', 'me'];
    for (const path of paths) expect(await find(tree.at(path), options)).toEqual(['error sensitive']);
    expect(
      await find(
        ['me/.config/other', 'me/app'].map((path) => tree.at(path)),
        options,
      ),
    ).toEqual([]);
    const [found] = await findRootIssues(tree.at('me'), options);
    expect(found?.message).toMatch(/: Rootward decides by what is in it: \.config\/rootward$/);
  });

  test('are found through a link to the store file', async () => {
    using tree = tempTree([
      'config/',
      'dotfiles/roots.jsonc',
      'config/roots.jsonc => ../dotfiles/roots.jsonc',
    ]);
    const options = { ...nowhere, own: [tree.at('config'), tree.at('config/roots.jsonc')] };
    expect(await find(tree.at('dotfiles'), options)).toEqual(['error sensitive']);
    expect(await find(tree.at('dotfiles'), { ...nowhere, own: [tree.at('config')] })).toEqual([]);
  });

  test('are those of this user by default', async () => {
    using tree = tempTree(['own/', 'app/']);
    vi.stubEnv('ROOTWARD_HOME', tree.at('own'));
    try {
      expect(await find(tree.at('own'))).toEqual(['error sensitive']);
      expect(await find(tree.at('app'))).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

test('refuses anything but a file or directory', async () => {
  using tree = tempTree(['pipe|']);
  expect(await find(tree.at('pipe'))).toEqual(['error unusable']);
});

test('reports a missing directory below a mount point as not mounted', async () => {
  expect(await find('/media/somebody/stick/app')).toEqual(['error unmounted']);
});

test.runIf(mayMount())('treats a directory mounted twice as one place (needs to mount)', async () => {
  using tree = tempTree(['a/app/', 'b/']);
  using mount = bindMount(tree.at('a'), tree.at('b'));
  expect(await find([tree.at('a/app'), tree.at('b/app')])).toEqual(['error duplicate']);
  mount[Symbol.dispose]();
});

// Root may read everything, so a process of another user looks; only root can start one.
test.runIf(process.getuid?.() === 0)('reports missing permissions as such (needs root)', () => {
  using tree = tempTree(['closed/', 'above/app/']);
  chmodSync(tree.path, 0o755);
  chmodSync(tree.at('closed'), 0o700);
  chmodSync(tree.at('above'), 0o700);
  const built = new URL('../../../.build/src/client/discover/find-root-issues.js', import.meta.url).href;
  const program = `
    import { findRootIssues } from '${built}';
    const found = await findRootIssues(process.argv.slice(1), { around: { home: '/home/somebody' } });
    console.log(found.map(({ severity, code }) => severity + ' ' + code).join());
  `;
  const paths = [tree.at('closed'), tree.at('above/app')];
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', program, ...paths], {
    uid: 65_534,
    encoding: 'utf8',
  });
  expect(out.trim()).toBe('error no-permission,error no-permission');
});

function seen(index: number, path: string, identity = path): SeenRoot {
  const { root } = parseRoot({ uri: path, name: `r${index}` }, { platform: 'posix' });
  if (root === undefined) throw new Error(path);
  return { index, root, real: path, look: { kind: 'directory', identity, real: path, readable: true } };
}

function compare(...roots: readonly SeenRoot[]): readonly string[] {
  return compareRoots(roots, 'posix').map(({ index, code, message }) =>
    [index, code, message.split(': ').at(-1)].join(' '),
  );
}

test('reports a duplicate once, by path and by identity', () => {
  expect(compare(seen(0, '/a'), seen(1, '/a'), seen(2, '/b', '/a'))).toEqual([
    '1 duplicate it is the same place as "r0"',
    '2 duplicate it is the same place as "r0"',
  ]);
});

test('reports a nested root with its nearest parent', () => {
  expect(compare(seen(0, '/a/b/c'), seen(1, '/a'), seen(2, '/a/b'), seen(3, '/ab'))).toEqual([
    '0 nested it lies in "r2"',
    '2 nested it lies in "r1"',
  ]);
});

test('compares ten thousand roots quickly', () => {
  const roots = Array.from({ length: 10_000 }, (_, count) => seen(count, `/top/${count % 100}/${count}`));
  expect(compareRoots([seen(10_000, '/top'), ...roots], 'posix')).toHaveLength(10_000);
});
