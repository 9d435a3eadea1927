import { describe, expect, test } from 'vitest';
import { toFileUri } from '../path/file-uri.ts';
import { parseRoots } from '../path/root.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { covers, findAskedPlace } from './asked-place.ts';
import type { AccessRequest } from './decide.ts';
import type { AskedPlace } from './decision.ts';
import { parsePolicy } from './rules/policy.ts';

const entries = [
  'app/src/a',
  'app/l => src/a',
  'app/ll => l',
  'app/d => src',
  'app/free => new/file',
  'app/.env',
  'app/hidden => .env',
  'app/out => ../secret',
  'app/loop => loop',
  'secret',
];

async function placeFor(request: AccessRequest): Promise<AskedPlace> {
  using tree = tempTree(entries);
  await using workspace = await openWorkspace(parseRoots([{ uri: toFileUri(tree.at('app')) }]).roots);
  const location = workspace.locate(request.path);
  if (location === undefined) throw new Error('no location');
  const policy = parsePolicy({ ask: ['read', 'list', 'write', 'remove'] });
  return await findAskedPlace({ workspace, policy }, request, location);
}

describe('the place that a person is asked about', () => {
  test.each([
    ['src/a', 'src/a', [], false],
    ['l', 'src/a', ['l'], false],
    ['ll', 'src/a', ['ll', 'l'], false],
    ['d', 'src', ['d'], true],
    ['d/a', 'src/a', [], false],
    ['.', '', [], true],
    ['src/../l', 'src/a', ['l'], false],
    ['new', 'new', [], false],
    ['n1/n2/n3', 'n1/n2/n3', [], false],
    ['free', 'new/file', ['free'], false],
    ['d/n1/n2', 'src/n1/n2', [], false],
    ['loop', 'loop', [], false],
  ])('%s is %s', async (path, relative, links, whole) => {
    expect(await placeFor({ operation: 'write', path })).toEqual({ relative, links, whole });
  });

  test('is the link itself, on request', async () => {
    expect(await placeFor({ operation: 'remove', path: 'l' })).toMatchObject({ relative: 'l', links: [] });
    expect(await placeFor({ operation: 'write', path: 'l', itself: true })).toMatchObject({ relative: 'l' });
  });

  test('is not determined where consent could not help', async () => {
    await expect(placeFor({ operation: 'write', path: 'hidden' })).rejects.toMatchObject({
      code: 'DENIED',
      data: { rule: 'deny:.env' },
    });
    await expect(placeFor({ operation: 'write', path: 'out' })).rejects.toMatchObject({
      code: 'OUTSIDE_ROOTS',
    });
  });
});

test.each([
  [{ relative: 'a', links: [], whole: false }, 'a', true],
  [{ relative: 'a', links: [], whole: false }, 'a/b', false],
  [{ relative: 'a', links: [], whole: true }, 'a/b', true],
  [{ relative: 'a', links: [], whole: true }, 'ab', false],
  [{ relative: '', links: [], whole: true }, 'anything', true],
])('consent for %j at %s: %s', (place, relative, expected) => {
  expect(covers(place, 'write', relative)).toBe(expected);
  expect(covers(place, 'execute', relative)).toBe(true);
});
