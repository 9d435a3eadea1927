import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownHome } from '../../../test/support/processes/own-home.ts';

describe('rootward roots undo', () => {
  test('undoes one command after the other', async () => {
    using home = ownHome();
    await home.run('add', 'app', 'docs');
    await home.run('remove', 'app');
    await home.run('rename', 'docs', 'Documents');
    expect(await home.names()).toEqual(['Documents']);
    expect(await home.run('undo')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Took back the last change: "Documents" is called "docs" again\n'),
    });
    expect((await home.run('undo')).stdout).toContain('Took back the last change: "app" is a root again\n');
    expect(await home.names()).toEqual(['app', 'docs']);
    const { stdout } = await home.run('undo', '--json');
    const undone = ['"app" is no root any more', '"docs" is no root any more'];
    expect(JSON.parse(stdout)).toEqual({ undone, roots: [] });
    expect(await home.run('undo')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing is left to take back'),
    });
  });

  test('is recorded with its revision', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    await home.run('rename', 'app', 'mine');
    await home.run('undo');
    const log = home.tree.at('home', 'log');
    const text = readdirSync(log).map((name) => readFileSync(join(log, name), 'utf8'));
    const last = text.join('').trim().split('\n').at(-1) ?? '';
    expect(JSON.parse(last)).toMatchObject({ rule: 'store:undo', outcome: 'done', revision: 3 });
    expect(home.text()).toMatch(/"revision": 3,/);
  });

  test('restores the comments of a removed root', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    writeFileSync(home.file, home.text().replace('{\n      "path"', '{\n      // mine\n      "path"'));
    await home.run('remove', 'app');
    expect(home.text()).not.toContain('// mine');
    await home.run('undo');
    expect(home.text()).toContain('// mine');
  });

  test('keeps later changes of an editor', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    const other = `{ "path": "${home.at('docs')}", "name": "docs" }`;
    writeFileSync(home.file, home.text().replace('"roots": [', `"roots": [\n    ${other},`));
    expect(await home.names()).toEqual(['docs', 'app']);
    expect(await home.run('undo')).toMatchObject({ code: 0 });
    expect(await home.names()).toEqual(['docs']);
  });

  test('puts roots back where they were, also after later changes', async () => {
    using home = ownHome(['a/', 'b/', 'c/', 'd/', 'e/']);
    await home.run('add', 'a', 'b', 'c', 'd');
    await home.run('remove', 'b', 'd');
    const more = `{ "path": "${home.at('e')}", "name": "e" }`;
    writeFileSync(home.file, home.text().replace('"roots": [', `"roots": [\n    ${more},`));
    expect(await home.names()).toEqual(['e', 'a', 'c']);
    expect((await home.run('undo')).stdout).toContain('"b" is a root again, "d" is a root again\n');
    expect(await home.names()).toEqual(['e', 'a', 'b', 'c', 'd']);
  });

  test('says which permissions it took back', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    await home.run('allow', 'app', 'write');
    expect((await home.run('undo')).stdout).toContain('"app" is permitted what it was again\n');
  });

  test('refuses to undo an entry that was changed again', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    writeFileSync(home.file, home.text().replace('"name": "app"', '"name": "mine"'));
    expect(await home.run('undo')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the same entry was changed again'),
    });
    expect(await home.names()).toEqual(['mine']);
  });
});
