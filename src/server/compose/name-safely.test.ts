import { expect, test } from 'vitest';
import { parseRoots } from '../../path/root.ts';
import { parsePolicy } from '../../policy/rules/policy.ts';
import { nameSafely } from './name-safely.ts';

const rootsOf = (...entries: readonly { uri: string; name?: string }[]) => parseRoots(entries).roots;
const rules = {
  ceiling: rootsOf({ uri: 'file:///srv/app' }, { uri: 'file:///srv/docs' }),
  policy: parsePolicy({ roots: { vault: { allow: ['write'] }, 'app (client)': { allow: ['write'] } } }),
};
const namesOf = (roots: readonly { readonly name: string }[]): readonly string[] =>
  roots.map(({ name }) => name);

test('a client root that is called like one of the operator, or like a rule, gets another name', () => {
  const roots = rootsOf(
    { uri: 'file:///home/app' },
    { uri: 'file:///home/x', name: 'vault' },
    { uri: 'file:///home/mine' },
  );
  expect(namesOf(nameSafely(roots, rules))).toEqual(['app (client)-2', 'vault (client)', 'mine']);
});

test('a root of the operator keeps its name', () => {
  expect(nameSafely(rules.ceiling, rules)).toEqual(rules.ceiling);
});

test('two client roots of one name get no name of a rule', () => {
  const policy = parsePolicy({ roots: { 'x-2': { allow: ['write'] } } });
  const roots = rootsOf({ uri: 'file:///a/x' }, { uri: 'file:///b/x' });
  expect(namesOf(nameSafely(roots, { ...rules, policy }))).toEqual(['x', 'x-3']);
});

test('where nobody named directories, names are as they come', () => {
  const roots = rootsOf({ uri: 'file:///home/x', name: 'vault' });
  expect(nameSafely(roots, { ...rules, ceiling: undefined })).toBe(roots);
});
