import { expect, test } from 'vitest';
import type { AskedPlace } from './decision.ts';
import type { AccessRequest } from './decide.ts';
import { describeQuestion } from './describe-question.ts';

function words(request: AccessRequest, at: Partial<AskedPlace> = {}): string {
  const place = { relative: request.path, links: [], whole: false, ...at };
  return describeQuestion({ request, root: 'app', at: place, reason: 'it needs a yes' });
}

test('names the tool, the operation, the place and the root', () => {
  expect(words({ operation: 'write', path: 'a', tool: 'write_file', detail: '3 bytes' })).toBe(
    'Allow "write_file" to write "a" in "app": "3 bytes"? (it needs a yes)',
  );
  expect(words({ operation: 'read', path: 'a' })).toBe('Allow to read "a" in "app"? (it needs a yes)');
});

test.each([
  ['a link', 'l', { relative: 'real', links: ['l'] }, '"l", which is "real", in'],
  ['a link on the way', 'd/l', { relative: 'e/l' }, '"d/l", which is "e/l", in'],
  ['a link to the root', 'l', { relative: '', links: ['l'] }, '"l", which is ".", in'],
  ['an absolute path', '/work/app/src/a', { relative: 'src/a' }, '"/work/app/src/a" in'],
  ['the end of a name', 'xsrc/a', { relative: 'src/a' }, '"xsrc/a", which is "src/a", in'],
  ['a directory', 'src/', { relative: 'src', whole: true }, '"src/" and everything in it in'],
])('says where %s leads', (_what, path, at, expected) => {
  expect(words({ operation: 'remove', path }, at)).toContain(expected);
});

test('a command line is shown, bounded and without what could deceive', () => {
  const text = words(
    { operation: 'execute', path: '.', detail: `a\u202E\n${'x'.repeat(10_000)}` },
    { relative: '' },
  );
  expect(text).toContain('run a command line in "." in "app": "a\\u{202e}\\u{a}xxx');
  expect(text).toContain('(10003 characters, not all shown)? It can reach everything in "app".');
  expect(text.length).toBeLessThan(4_500);
});
