import { describe, expect, test } from 'vitest';
import { ownHome } from '../../../test/support/processes/own-home.ts';
import { openRootStore } from '../../client/store/open-root-store.ts';

describe('rootward roots show', () => {
  test('prints everything about a root', async () => {
    using home = ownHome();
    await home.run('add', 'app', '--preset', 'ask-before-write', '--deny', 'private');
    await home.run('deny', 'app', 'write', '--glob', 'docs/**');
    await home.run('allow', 'app', 'write', '--server', 'files');
    await home.run('allow', 'app', '--server', 'search');
    const { stdout } = await home.run('show', 'app');
    expect(stdout).toMatch(/^name +app$/m);
    expect(stdout).toMatch(/^uri +file:\/\/\/.*app$/m);
    expect(stdout).toMatch(/^state +there$/m);
    expect(stdout).toMatch(/^permits +read, list; asks before write, remove; denies 2 patterns$/m);
    expect(stdout).toMatch(/^denies +private$/m);
    expect(stdout).toMatch(/^denies +docs\/\*\* \(write\)$/m);
    expect(stdout).toMatch(/^permits files +read, list, write; asks before remove/m);
    expect(stdout).toMatch(/^answer +search: always, since \d{4}/m);
  });

  test('prints the view of one server, and problems', async () => {
    using home = ownHome();
    await home.run('add', 'gone', '--missing', '--name', 'gone');
    const { stdout } = await home.run('show', 'gone', '--server', 'files', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'gone',
      state: 'missing',
      effective: { allow: ['read', 'list'] },
      issues: [{ code: 'missing', severity: 'error' }],
    });
    expect((await home.run('show', 'gone')).stdout).toMatch(/^error +Cannot use root/m);
  });

  test('shows that a refused server sees nothing', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    await home.run('deny', 'app', '--server', 'search');
    const { stdout } = await home.run('show', 'app', '--server', 'search');
    expect(stdout).toMatch(/^permits search +hidden: a person said never$/m);
    const json = await home.run('show', 'app', '--server', 'search', '--json');
    const told = { shown: false, why: 'a person said never', effective: { allow: [] } };
    expect(JSON.parse(json.stdout)).toMatchObject(told);
    // And for other servers, their own view.
    expect((await home.run('show', 'app')).stdout).toMatch(/^permits +read, list$/m);
  });

  test('limits permissions to the grant', async () => {
    using home = ownHome();
    await home.run('add', 'app', '--preset', 'write-in-project');
    await using store = await openRootStore({ file: home.file, follow: false });
    const grant = { server: 'search', answer: 'always', date: '2026-01-01', operations: ['read'] } as const;
    await store.remember('app', grant);
    const { stdout } = await home.run('show', 'app', '--server', 'search', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ effective: { allow: ['read'] } });
    const all = JSON.parse((await home.run('show', 'app', '--json')).stdout) as object;
    expect(all).toMatchObject({
      effective: { allow: ['read', 'list', 'write'] },
      shownTo: { search: { shown: true, effective: { allow: ['read'] } } },
    });
  });

  test.each(['app', './app', '.'])('finds a root by %j', async (which) => {
    using home = ownHome();
    await home.run('add', '.', '--name', 'all');
    await home.run('add', 'app');
    const { stdout } = await home.run('show', which, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ name: which === '.' ? 'all' : 'app' });
  });

  test('lists the known roots if the name is unknown', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    expect(await home.run('show', 'zzz')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Stored roots are: app'),
    });
  });
});
