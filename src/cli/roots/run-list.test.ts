import { describe, expect, test } from 'vitest';
import { ownHome } from '../../../test/support/processes/own-home.ts';

describe('rootward roots list', () => {
  test('prints a table for a person, and how to start', async () => {
    using home = ownHome();
    expect(await home.run('list')).toMatchObject({ code: 0, stdout: expect.stringContaining('No roots') });
    await home.run('add', 'app');
    const { stdout } = await home.run('list');
    expect(stdout).toMatch(/^app +read, list +there +\/.*app$/m);
  });

  test('prints one JSON document', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    const { stdout, stderr } = await home.run('list', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      revision: 1,
      roots: [{ name: 'app', path: home.at('app'), state: 'there', permissions: {} }],
    });
    expect(stderr).toBe('');
  });

  test('shows the view of one server', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    await home.run('allow', 'app', 'write', '--server', 'files');
    expect((await home.run('list', '--server', 'files')).stdout).toContain('read, list, write');
    expect((await home.run('list')).stdout).not.toContain('write');
  });

  test('shows which roots a server does not see, and why', async () => {
    using home = ownHome(['app/', 'docs/', 'notes/']);
    await home.run('add', 'app', 'docs', 'notes');
    await home.run('limit', 'search', 'docs', 'notes');
    await home.run('deny', 'notes', '--server', 'search');
    const { stdout } = await home.run('list', '--server', 'search');
    expect(stdout).toMatch(/^app +hidden: it is not in the list of this server/m);
    expect(stdout).toMatch(/^docs +read, list/m);
    expect(stdout).toMatch(/^notes +hidden: a person said never/m);
    expect(stdout).toMatch(/^1 of 3 roots shown to search$/m);
    const document = JSON.parse((await home.run('list', '--server', 'search', '--json')).stdout) as object;
    expect(document).toMatchObject({
      roots: [
        { name: 'app', shown: false, effective: { allow: [] } },
        { name: 'docs', shown: true, effective: { allow: ['read', 'list'] } },
        { name: 'notes', shown: false, why: 'a person said never' },
      ],
      servers: { search: { roots: [home.at('docs'), home.at('notes')] } },
    });
  });

  test('refuses other flags', async () => {
    using home = ownHome();
    expect(await home.run('list', '--jsn')).toMatchObject({ code: 2 });
  });
});
