import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('the guide has every option of attach in its table, and no other', () => {
  const [, declared = ''] =
    /interface AttachOptions[^{]*\{\n([^]*?)\n\}/.exec(read('src/server/settings/attach-options.ts')) ?? [];
  const options = [...declared.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name = '']) => name);
  const [, table = ''] =
    /## Options\n([^]*?)\n## /.exec(read('docs/guides/add-rootward-to-your-server.md')) ?? [];
  const documented = [...table.matchAll(/^\| ((?:`\w+`(?:, )?)+)/gm)]
    .flatMap(([, names = '']) => names.split(', '))
    .map((name) => name.replaceAll('`', '').trim())
    .filter((name) => name !== '');
  // These come from elsewhere: how the project is found, and who is asked.
  const inherited = ['ask', 'patience', 'markers', 'preset', 'sources', 'profiles'];
  expect(options.length).toBeGreaterThan(10);
  expect(documented.toSorted()).toEqual([...options, ...inherited].toSorted());
});
