import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createProjectId } from './project-id.ts';

const shape = /^[\p{L}\p{M}\p{N}._][\p{L}\p{M}\p{N}._-]*-[0-9a-f]{16}$/u;

describe('createProjectId', () => {
  test('is the same for one place in every tree of a repository', () => {
    const identity = '/home/me/app/.git';
    const main = createProjectId('/home/me/app/packages/a', { top: '/home/me/app', identity });
    const tree = createProjectId('/home/me/fix/packages/a', { top: '/home/me/fix', identity });
    expect(main).toBe(tree);
    expect(createProjectId('/home/me/fix', { top: '/home/me/fix', identity })).not.toBe(tree);
  });

  test('distinguishes directories of one name', () => {
    const ids = [
      createProjectId('/a/app'),
      createProjectId('/b/app'),
      createProjectId('/a/app', { top: '/a', identity: '/a/.git' }),
      createProjectId('/a/app', { top: '/a/app', identity: '/a/app/.git' }),
      createProjectId('/a/app', { top: '/a/app', identity: '/b/app/.git' }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each([
    ['/home/me/app/.git', 'app'],
    ['/srv/app.git', 'app'],
    ['/home/me/app/.bare', 'app'],
    ['/home/me/top/.git/modules/libs/app', 'app'],
  ])('calls the repository of %s %s, whatever the tree is called', (identity, label) => {
    expect(createProjectId('/x/tree', { top: '/x/tree', identity })).toMatch(new RegExp(`^${label}-`));
  });

  test.each([
    ['/x/my app', 'my-app'],
    ['/x/a\nb', 'a-b'],
    ['/x/日本語', '日本語'],
    ['/x/--', 'project'],
    ['/', 'project'],
    [`/x/${'é'.repeat(99)}`, 'é'.repeat(40)],
    [`/x/${'a'.repeat(39)}𝒳𝒳`, 'a'.repeat(39)],
  ])('labels %j as %s', (location, label) => {
    expect(createProjectId(location).slice(0, -17)).toBe(label);
  });

  test('gives two spellings of one letter one label, and two ids', () => {
    const [composed, decomposed] = [createProjectId('/x/caf\u00E9'), createProjectId('/x/cafe\u0301')];
    expect(composed.slice(0, -16)).toBe(decomposed.slice(0, -16));
    expect(composed).not.toBe(decomposed);
  });

  test('is valid in a file name and a line of text, whatever the directory is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        expect(createProjectId(`/x/${name.replaceAll('/', '')}`)).toMatch(shape);
      }),
    );
  });
});
