import { describe, expect, test } from 'vitest';
import { ownHome, type OwnHome } from '../../../test/support/processes/own-home.ts';

async function effective(home: OwnHome, ...more: readonly string[]): Promise<object> {
  const { stdout } = await home.run('show', 'app', '--json', ...more);
  return (JSON.parse(stdout) as { effective: object }).effective;
}

describe('rootward roots remove', () => {
  test('removes roots by name, path and URI', async () => {
    using home = ownHome(['a/', 'b/', 'c/']);
    await home.run('add', 'a', 'b', 'c');
    expect(await home.run('remove', 'a', './b', `file://${home.at('c')}`)).toMatchObject({ code: 0 });
    expect(await home.names()).toEqual([]);
  });

  test('removes none if one is unknown', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    expect(await home.run('remove', 'app', 'zzz')).toMatchObject({ code: 1 });
    expect(await home.names()).toEqual(['app']);
  });

  test('removes a root that was named twice', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    expect(await home.run('remove', 'app', './app')).toMatchObject({ code: 0 });
  });
});

describe('rootward roots rename', () => {
  test('changes the name', async () => {
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

  test('add and remove globs', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    await home.run('deny', 'app', '--glob', '*.a', '--glob', '*.b');
    expect(await effective(home)).toMatchObject({ deny: [{ glob: '*.a' }, { glob: '*.b' }] });
    await home.run('allow', 'app', '--glob', '*.a');
    expect(await effective(home)).toMatchObject({ deny: [{ glob: '*.b' }] });
  });

  test('store what a server may see', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    await home.run('deny', 'app', '--server', 'search');
    expect((await home.run('show', 'app')).stdout).toContain('search: never');
    await home.run('allow', 'app', '--server', 'search');
    expect((await home.run('show', 'app')).stdout).toContain('search: always');
  });

  test.each([
    ['nothing to do', ['app']],
    ['a word that is not an operation', ['app', 'fly']],
    ['a glob that is none', ['app', '--glob', '[']],
  ])('refuse %s as wrong usage', async (_case, argv) => {
    using home = ownHome();
    await home.run('add', 'app');
    expect(await home.run('deny', ...argv)).toMatchObject({ code: 2 });
  });
});

describe('rootward roots forget', () => {
  test('removes an answer', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    await home.run('deny', 'app', '--server', 'search');
    expect(await home.run('forget', 'app', '--server', 'search')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^forgotten +app +read, list/),
    });
    expect((await home.run('show', 'app')).stdout).not.toContain('search');
  });

  test('says if there was no answer', async () => {
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

describe('the output of a change', () => {
  test('shows the view of the affected server', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    const { stdout } = await home.run('deny', 'app', '--server', 'search');
    expect(stdout).toContain('hidden: a person said never');
  });

  test('says if nothing changed', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    expect((await home.run('allow', 'app', 'write')).stdout).toMatch(/^changed/);
    expect((await home.run('allow', 'app', 'write')).stdout).toMatch(/^unchanged/);
  });

  test('says if a server sees nothing', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    expect(await home.run('limit', 'search')).toMatchObject({ code: 0, stdout: 'search sees no roots\n' });
  });
});

describe('rootward roots limit', () => {
  test('sets the list of a server, and removes it', async () => {
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
  ])('refuses %s as wrong usage', async (_case, argv, code) => {
    using home = ownHome();
    await home.run('add', 'app');
    expect(await home.run('limit', ...argv)).toMatchObject({ code });
  });
});
