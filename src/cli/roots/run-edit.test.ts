import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownHome, type OwnHome } from '../../../test/support/processes/own-home.ts';
import { type CliResult, runInMemory } from '../../../test/support/processes/run-in-memory.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openInEditor } from './run-edit.ts';

/** An editor that writes a given text, whatever was there. */
function edit(home: OwnHome, text: string, variable = 'EDITOR'): Promise<CliResult> {
  const editor = home.tree.at('editor');
  writeFileSync(home.tree.at('text'), text);
  writeFileSync(editor, `#!/bin/sh\ncp "${home.tree.at('text')}" "$1"\n`);
  chmodSync(editor, 0o755);
  return runInMemory(home.at(), ['roots', 'edit'], { ...home.env, [variable]: editor });
}

describe('rootward roots edit', () => {
  test('opens the file, and checks it afterwards', async () => {
    using home = ownHome();
    const text = `{ "version": 1, "revision": 1, "roots": [{ "path": ${JSON.stringify(home.at('app'))} }] }`;
    expect(await edit(home, text)).toMatchObject({ code: 0, stdout: expect.stringContaining('1 root in') });
    expect(await home.names()).toEqual(['app']);
  });

  test('is recorded if the file changed, even to an invalid one, and only then', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    const edits = (): readonly object[] => {
      const log = home.tree.at('home', 'log');
      const lines = readdirSync(log).flatMap((name) =>
        readFileSync(join(log, name), 'utf8').trim().split('\n'),
      );
      const entries = lines.map((line) => JSON.parse(line) as { readonly rule: string });
      return entries.filter(({ rule }) => rule === 'store:edited');
    };
    await edit(home, home.text());
    expect(edits()).toEqual([]);
    await edit(home, home.text().replace('"name": "app"', '"name": "mine"'));
    expect(edits()).toMatchObject([{ caller: 'rootward roots', path: home.file, revision: 1 }]);
    await edit(home, '{');
    expect(edits()).toHaveLength(2);
  });

  test('starts with a file that explains itself', async () => {
    using home = ownHome();
    const { code } = await runInMemory(home.at(), ['roots', 'edit'], { ...home.env, EDITOR: 'true' });
    expect([code, home.text()]).toEqual([
      0,
      expect.stringContaining('// The roots that MCP servers may see'),
    ]);
  });

  test('reports line and column of a mistake, and does not change it', async () => {
    using home = ownHome();
    expect(await edit(home, '{\n  "roots": [}\n', 'VISUAL')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('line 2, column'),
    });
    expect(home.text()).toBe('{\n  "roots": [}\n');
  });

  test('says if there is no editor, or if it fails', async () => {
    using home = ownHome();
    expect(await home.run('edit')).toMatchObject({ code: 2, stderr: expect.stringContaining(home.file) });
    const failed = await runInMemory(home.at(), ['roots', 'edit'], { ...home.env, EDITOR: 'false' });
    expect(failed).toMatchObject({ code: 3, stderr: expect.stringContaining('ended with 1') });
  });

  test('prints the path of the file', async () => {
    using home = ownHome();
    expect(await home.run('edit', '--print')).toMatchObject({ code: 0, stdout: `${home.file}\n` });
  });
});

test('runs the editor as configured, with the file as one argument', async () => {
  using tree = tempTree(["with space/it's.jsonc"]);
  const file = tree.at('with space', "it's.jsonc");
  writeFileSync(tree.at('editor'), '#!/bin/sh\nprintf "%s\\n" "$@" > "$2"\n');
  chmodSync(tree.at('editor'), 0o755);
  expect(await openInEditor(`${tree.at('editor')} --wait`, file)).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(`--wait\n${file}\n`);
});

test('reports how the editor ended', async () => {
  expect(await openInEditor('sh -c "exit 3"', '/no/such/file')).toBe(3);
  expect(await openInEditor('no-such-editor-of-anybody 2>/dev/null', '/no/such/file')).not.toBe(0);
});
