import fc from 'fast-check';
import type { Platform } from '../../../src/path/platform.ts';
import { componentFault } from '../../../src/path/split-path.ts';

/** Names that are legal on the platform, the odd ones included. */
export function pathName(platform: Platform): fc.Arbitrary<string> {
  const odd = fc.constantFrom(
    '...',
    '..a',
    'a b',
    '%2e%2e',
    '#',
    'café',
    'cafe\u0301',
    '😀',
    '~',
    '$x',
    'a\\b',
    'PROJ',
  );
  const any = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
  return fc
    .oneof(odd, any, fc.constantFrom('a', 'b', 'c'))
    .filter((name) => name !== '.' && name !== '..' && componentFault(name, platform) === undefined);
}

/** Absolute native paths in canonical form. */
export function nativePath(platform: Platform): fc.Arbitrary<string> {
  const [prefix, separator] = platform === 'win32' ? ['C:\\', '\\'] : ['/', '/'];
  return fc.array(pathName(platform), { maxLength: 6 }).map((names) => prefix + names.join(separator));
}
