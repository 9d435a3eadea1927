import { describe, expect, test } from 'vitest';
import { ownHome, type OwnHome } from '../../../test/support/processes/own-home.ts';

async function effective(home: OwnHome, ...more: readonly string[]): Promise<object> {
  const { stdout } = await home.run('show', 'app', '--json', ...more);
  return (JSON.parse(stdout) as { effective: object }).effective;
}

describe('rootward roots remove', () => {
  test('takes roots away by name, path and URI', async () => {
    using home = ownHome(['a/', 'b/', 'c/']);
    await home.run('add', 'a', 'b', 'c');
    expect(await home.run('remove', 'a', './b', `file://${home.at('c')}`)).toMatchObject({ code: 0 });
    expect(await home.names()).toEqual([]);
  });

  test('takes none away if one is not there', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    expect(await home.run('remove', 'app', 'zzz')).toMatchObject({ code: 1 });
    expect(await home.names()).toEqual(['app']);
  });

  test('takes one away that was named twice', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    expect(await home.run('remove', 'app', './app')).toMatchObject({ code: 0 });
  });
});

describe('rootward roots rename', () => {
  test('gives another name', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    expect(await home.run('rename', 'app', 'My app')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('My app'),
    });
    expect(await home.names()).toEqual(['My app']);
  });

  test('refuses a name that another root has', async () => {
    using home = ownHome();
    await home.run('add', 'app', 'docs');
    expect(await home.run('rename', 'app', 'docs')).toMatchObject({ code: 2 });
  });
});

describe('rootward roots allow and deny', () => {
  test('change operations', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    await home.run('allow', 'app', 'write,remove');
    expect(await effective(home)).toMatchObject({ allow: ['read', 'list', 'write', 'remove'] });
    await home.run('deny', 'app', 'remove');
    expect(await effective(home)).toMatchObject({ allow: ['read', 'list', 'write'] });
  });

  test('change them for one server', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    await home.run('allow', 'app', 'write', '--server', 'files');
    expect(await effective(home)).toMatchObject({ allow: ['read', 'list'] });
    expect(await effective(home, '--server', 'files')).toMatchObject({ allow: ['read', 'list', 'write'] });
  });

  test('add and take away globs', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    await home.run('deny', 'app', '--glob', '*.a', '--glob', '*.b');
    expect(await effective(home)).toMatchObject({ deny: [{ glob: '*.a' }, { glob: '*.b' }] });
    await home.run('allow', 'app', '--glob', '*.a');
    expect(await effective(home)).toMatchObject({ deny: [{ glob: '*.b' }] });
  });

  test('remember what a server may see', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    await home.run('deny', 'app', '--server', 'search');
    expect((await home.run('show', 'app')).stdout).toContain('search: never');
    await home.run('allow', 'app', '--server', 'search');
    expect((await home.run('show', 'app')).stdout).toContain('search: always');
  });

  test.each([
    ['nothing to do', ['app']],
    ['a word that is no operation', ['app', 'fly']],
    ['a glob that is none', ['app', '--glob', '[']],
  ])('are called wrongly with %s', async (_case, argv) => {
    using home = ownHome();
    await home.run('add', 'app');
    expect(await home.run('deny', ...argv)).toMatchObject({ code: 2 });
  });
});

describe('rootward roots forget', () => {
  test('takes an answer back, as if nobody had been asked', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    await home.run('deny', 'app', '--server', 'search');
    expect(await home.run('forget', 'app', '--server', 'search')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^forgotten +app +read, list/),
    });
    expect((await home.run('show', 'app')).stdout).not.toContain('search');
  });

  test('says so where nothing was answered', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    await home.run('deny', 'app', '--server', 'other');
    expect(await home.run('forget', 'app', '--server', 'search')).toMatchObject({
      code: 1,
      stderr: 'Nothing was answered about "search" and "app"\n',
    });
    expect((await home.run('show', 'app')).stdout).toContain('other: never');
    expect(await home.run('forget', 'app')).toMatchObject({ code: 2 });
  });
});

describe('what is said of a change', () => {
  test('is what the server gets that it is about', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    const { stdout } = await home.run('deny', 'app', '--server', 'search');
    expect(stdout).toContain('hidden: a person said never');
  });

  test('is that there was none, where there was none', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    expect((await home.run('allow', 'app', 'write')).stdout).toMatch(/^changed/);
    expect((await home.run('allow', 'app', 'write')).stdout).toMatch(/^unchanged/);
  });

  test('is that a server sees nothing, where it is limited to nothing', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    expect(await home.run('limit', 'search')).toMatchObject({ code: 0, stdout: 'search sees no roots\n' });
  });
});

describe('rootward roots limit', () => {
  test('names the only roots that a server sees, and takes that back', async () => {
    using home = ownHome();
    await home.run('add', 'app', 'docs');
    expect(await home.run('limit', 'search', 'docs')).toMatchObject({ code: 0 });
    expect(home.text()).toMatch(/"search": \{\s*"roots": \[".*docs"\]/);
    await home.run('limit', 'search');
    expect(home.text()).toMatch(/"search": \{\s*"roots": \[\]/);
    await home.run('limit', 'search', '--all');
    expect(home.text()).not.toContain('search');
  });

  test.each([
    ['a root that is none', ['search', 'zzz'], 1],
    ['all roots, and one of them', ['search', 'app', '--all'], 2],
    ['no server', [], 2],
  ])('is called wrongly with %s', async (_case, argv, code) => {
    using home = ownHome();
    await home.run('add', 'app');
    expect(await home.run('limit', ...argv)).toMatchObject({ code });
  });
});
