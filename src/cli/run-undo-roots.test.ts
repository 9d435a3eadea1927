import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ownHome } from '../../test/client-cli/own-home.ts';

describe('rootward roots undo', () => {
  test('takes back one command after the other', async () => {
    using home = ownHome();
    await home.run('add', 'app', 'docs');
    await home.run('remove', 'app');
    await home.run('rename', 'docs', 'Documents');
    expect(await home.names()).toEqual(['Documents']);
    expect(await home.run('undo')).toMatchObject({ code: 0, stdout: expect.stringContaining('docs') });
    await home.run('undo');
    expect(await home.names()).toEqual(['app', 'docs']);
    const { stdout } = await home.run('undo', '--json');
    expect(JSON.parse(stdout)).toEqual([]);
    expect(await home.run('undo')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing is left to take back'),
    });
  });

  test('brings comments back that went with a root', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    writeFileSync(home.file, home.text().replace('{\n      "path"', '{\n      // mine\n      "path"'));
    await home.run('remove', 'app');
    expect(home.text()).not.toContain('// mine');
    await home.run('undo');
    expect(home.text()).toContain('// mine');
  });

  test('leaves alone what an editor has changed since', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    const other = `{ "path": "${home.at('docs')}", "name": "docs" }`;
    writeFileSync(home.file, home.text().replace('"roots": [', `"roots": [\n    ${other},`));
    expect(await home.names()).toEqual(['docs', 'app']);
    expect(await home.run('undo')).toMatchObject({ code: 0 });
    expect(await home.names()).toEqual(['docs']);
  });

  test('refuses to take back what was changed again', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    writeFileSync(home.file, home.text().replace('"name": "app"', '"name": "mine"'));
    expect(await home.run('undo')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('somebody has changed the same again'),
    });
    expect(await home.names()).toEqual(['mine']);
  });
});
