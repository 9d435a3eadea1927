import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { editFile } from './edit-file.ts';

test('an editor is called as the person wrote it, with the file as one argument', async () => {
  using tree = tempTree(["with space/it's.jsonc"]);
  const file = tree.at('with space', "it's.jsonc");
  writeFileSync(tree.at('editor'), '#!/bin/sh\nprintf "%s\\n" "$@" > "$2"\n');
  chmodSync(tree.at('editor'), 0o755);
  expect(await editFile(`${tree.at('editor')} --wait`, file)).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(`--wait\n${file}\n`);
});

test('how an editor ends is told', async () => {
  expect(await editFile('sh -c "exit 3"', '/no/such/file')).toBe(3);
  expect(await editFile('no-such-editor-of-anybody 2>/dev/null', '/no/such/file')).not.toBe(0);
});
