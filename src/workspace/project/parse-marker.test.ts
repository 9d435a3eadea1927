import { describe, expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { detectProject } from './detect-project.ts';
import { findProjects } from './find-projects.ts';
import { parseMarker } from './parse-marker.ts';
import { presets } from '../chain/chain-presets.ts';
import { resolveWorkspace } from '../chain/resolve-workspace.ts';

const bad: readonly [text: string, reason: string][] = [
  ['', 'it is empty'],
  ['.', 'it is no name of its own'],
  ['..', 'it is no name of its own'],
  ['a/b', 'it is more than one name'],
  ['/a', 'it is more than one name'],
  ['a/', 'it is more than one name'],
  ['./a', 'it is more than one name'],
  ['../x', 'it is more than one name'],
  ['..\\x', 'it is more than one name'],
  ['*.blue', 'it is a pattern, not a name'],
  ['.blu?', 'it is a pattern, not a name'],
  ['a\u0000b', 'it contains NUL'],
  ['\uD800', 'it contains a lone surrogate'],
  ['x'.repeat(256), 'a name in it is longer than 255'],
];

describe.each(bad)('%j is no marker', (marker, reason) => {
  const refused = { code: 'INVALID_MARKER', data: { marker, reason } };

  test('for the rule', () => {
    expect(() => parseMarker(marker, 'posix')).toThrow(expect.objectContaining(refused));
  });

  test('for a search upward', async () => {
    await expect(detectProject('.', { markers: ['.ok', marker] })).rejects.toMatchObject(refused);
  });

  test('for a search downward, at once', () => {
    expect(() => findProjects('.', { markers: ['.ok', marker] })).toThrow(expect.objectContaining(refused));
  });

  test.each(Object.keys(presets) as (keyof typeof presets)[])(
    'for the chain %s, whatever the signals are',
    async (preset) => {
      const options = { preset, markers: ['.ok', marker] };
      await expect(resolveWorkspace({}, options)).rejects.toMatchObject(refused);
    },
  );
});

test.each(['.blue', 'blue.json', 'my project', '.ＢＬＵＥ', '...', '[slug]', '~x'])(
  '%j is a marker, and is found as it is written',
  async (marker) => {
    using tree = tempTree();
    tree.add(`app/${marker}/`);
    const project = await detectProject(tree.at('app'), { markers: [marker] });
    expect(project).toMatchObject({ kind: 'marker', markers: [marker] });
  },
);

test('the names that Windows keeps for itself are none there', () => {
  expect(parseMarker('a:b', 'posix')).toBe('a:b');
  for (const name of ['a:b', 'NUL', 'x.'])
    expect(() => parseMarker(name, 'win32')).toThrow(expect.objectContaining({ code: 'INVALID_MARKER' }));
});
