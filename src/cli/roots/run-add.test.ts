import { describe, expect, test } from 'vitest';
import { ownHome } from '../../../test/support/processes/own-home.ts';

describe('rootward roots add', () => {
  test('adds directories and files, relative to the current directory', async () => {
    using home = ownHome();
    const { stdout, code } = await home.run('add', 'app', 'docs/b.txt');
    expect(stdout).toMatch(/^added +app +read, list +.*app$/m);
    expect(stdout).toMatch(/^added +b\.txt/m);
    expect(code).toBe(0);
    expect(await home.names()).toEqual(['app', 'b.txt']);
  });

  test('stores permissions and a name', async () => {
    using home = ownHome();
    const { stdout } = await home.run(
      'add',
      'app',
      '--name',
      'The App',
      '--allow',
      'read,list',
      '--ask',
      'write',
      '--deny',
      '*.pem',
      '--json',
    );
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'The App',
      permissions: { allow: ['read', 'list'], ask: ['write'], deny: ['*.pem'] },
    });
  });

  test.each([
    ['what is not there', ['gone'], 'does not exist', 'use --missing'],
    ['what belongs to the system', ['/etc'], 'belongs to the system', 'use --force'],
    ['both', ['gone', '/etc'], 'belongs to the system', 'use --force'],
    ['a whole file system', ['/'], 'file system', 'Nothing was added\n'],
    ['another scheme', ['http://example.com/path'], 'http://example.com/path', 'Nothing was added\n'],
  ])('refuses %s, names the flag that would help, and adds nothing', async (_case, paths, reason, end) => {
    using home = ownHome();
    const { code, stderr } = await home.run('add', 'app', ...paths);
    expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
    expect(stderr.slice(stderr.indexOf('Nothing was added'))).toContain(end);
    expect(await home.names()).toEqual([]);
  });

  test.each([[[]], [['--force']]])('adds none of them if one exists already, with %j', async (flags) => {
    using home = ownHome();
    await home.run('add', 'app', '--name', 'mine');
    const { code, stdout, stderr } = await home.run('add', 'docs', 'app', ...flags);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/app": it is already stored as "mine"\n.*roots allow.*Nothing was added/);
    expect(await home.names()).toEqual(['mine']);
  });

  test('adds a path once that was given twice', async () => {
    using home = ownHome();
    const twice = ['app', './app', home.at('app'), `file://${home.at('app')}`];
    expect(await home.run('add', ...twice, '--force')).toMatchObject({ code: 0, stderr: '' });
    expect(await home.names()).toEqual(['app']);
  });

  test('adds any number of roots in one change', async () => {
    using home = ownHome();
    await home.run('add', 'app', 'docs');
    expect(home.text()).toMatch(/"revision": 1,/);
    // And none, if one of them cannot be added, although the others are fine.
    const { code } = await home.run('add', 'docs/b.txt', 'app/a.txt', 'http://example.com', '--force');
    expect(code).not.toBe(0);
    expect(await home.names()).toEqual(['app', 'docs']);
    await home.run('undo');
    expect(await home.names()).toEqual([]);
  });

  test('adds a risky root with --force, and prints the findings', async () => {
    using home = ownHome();
    expect(await home.run('add', '/etc', '--force')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('belongs to the system'),
    });
    expect(await home.run('add', 'gone', '--missing')).toMatchObject({ code: 0, stderr: '' });
    expect(await home.names()).toEqual(['etc', 'gone']);
  });

  test('warns about a nested root', async () => {
    using home = ownHome(['app/packages/a/']);
    await home.run('add', 'app');
    expect(await home.run('add', 'app/packages/a')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('it lies in'),
    });
  });

  test.each([
    ['a name for two', ['app', 'docs', '--name', 'x']],
    ['a word that is not an operation', ['app', '--allow', 'fly']],
    ['a preset that is none', ['app', '--preset', 'all']],
    ['a glob that is none', ['app', '--deny', '[']],
    ['an invisible name', ['app', '--name', '\u200B']],
    ['nothing', []],
  ])('refuses %s as wrong usage', async (_case, argv) => {
    using home = ownHome();
    expect(await home.run('add', ...argv)).toMatchObject({ code: 2 });
    expect(await home.names()).toEqual([]);
  });
});
