import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundaryCases } from '../../test/support/boundary/boundary-cases.ts';
import { nativePath } from '../../test/support/trees/path-arbitraries.ts';
import { RootwardError } from '../errors.ts';
import { describeUriFault, isFileUri, isRelative, parseFileUri, readFileUri, toFileUri } from './file-uri.ts';
import type { Platform } from './platform.ts';

describe('every root-uri case', () => {
  test.each(boundaryCases('root-uri'))(
    '$id $platform $verdict: $why',
    ({ input, platform, verdict, resolved }) => {
      if (verdict === 'accept') expect(parseFileUri(input, { platform })).toBe(resolved);
      else expect(() => parseFileUri(input, { platform })).toThrow(RootwardError);
    },
  );
});

/** Rules that the case file does not show, or shows once. */
const posixRefusals: readonly (readonly [uri: string, fault: string])[] = [
  ['file:', 'relative'],
  ['file:x', 'relative'],
  ['file://localhost', 'relative'],
  ['file:////etc', 'slashes'],
  ['file://localhost//etc', 'slashes'],
  ['file://user@localhost/x', 'host'],
  ['file://local%68ost/x', 'host'],
  ['file://localhost./x', 'host'],
  ['file:///x?', 'query'],
  ['file:///x#y', 'fragment'],
  ['file:///x%3Fy#', 'fragment'],
  ['file:///a\nb', 'character'],
  ['file:///a\u007Fb', 'character'],
  ['file:///a\u0085b', 'character'],
  ['file:///a{b}', 'character'],
  ['file:///proj ', 'character'],
  ['\u00A0file:///x', 'scheme'],
  ['file:///%', 'escape'],
  ['file:///%zz', 'escape'],
  ['file:///%ff', 'encoding'],
  ['file:///%f8%88%80%80%80', 'encoding'],
  ['file:///a/%2e', 'dot-segment'],
  ['file:///a/%2e%2E', 'dot-segment'],
  ['file:///a/.%2e/b', 'dot-segment'],
  ['file:///..', 'dot-segment'],
  ['file:///a%2fb', 'separator'],
  ['file:///a/%00', 'nul'],
  ['file://localhost/', 'whole'],
  [`file:///${'n'.repeat(256)}`, 'name'],
  [`file:///${'%C3%A9'.repeat(128)}`, 'name'],
];

const windowsRefusals: readonly (readonly [uri: string, fault: string])[] = [
  ['file:///C:/', 'whole'],
  ['file:///c%3A', 'drive-relative'],
  ['file:///C|/Users', 'drive'],
  ['file:///home/u', 'drive'],
  ['file:///CC:/x', 'drive'],
  ['file:///C:/a/AUX.c', 'name'],
  ['file:///C:/a/com1.tar.gz', 'name'],
  ['file:///C:/a/COM%C2%B9', 'name'],
  ['file:///C:/a/NUL%20.txt', 'name'],
  ['file:///C:/a/b%20', 'name'],
  ['file:///C:/a/PROGRA~1', 'name'],
  ['file:///C:/a/b%3Astream', 'name'],
  ['file:///C:/a/b%2A', 'name'],
  ['file:///C:/a/%01', 'name'],
  ['file:////?/C:/x', 'query'],
  ['file:////./C:/x', 'slashes'],
  ['file://server/share', 'unc'],
];

describe('a refusal', () => {
  test.each(posixRefusals)('on posix, %j breaks the rule "%s"', (uri, fault) => {
    expect(readFileUri(uri, { platform: 'posix' })).toMatchObject({ fault });
  });

  test.each(windowsRefusals)('on Windows, %j breaks the rule "%s"', (uri, fault) => {
    expect(readFileUri(uri, { platform: 'win32' })).toMatchObject({ fault });
  });

  test('repeats the text as sent, names the rule and the remedy', () => {
    expect(() => parseFileUri('file:///a/../b', { platform: 'posix' })).toThrow(
      expect.objectContaining({
        code: 'INVALID_URI',
        message: 'Cannot read "file:///a/../b" as a file URI: it contains "." or ".." segments',
        hint: expect.stringContaining('file:///'),
      }),
    );
  });
});

describe('an acceptance', () => {
  test.each([
    ['posix', 'file:///a%5Cb', '/a\\b'],
    ['posix', 'file:///a%0Ab', '/a\nb'],
    ['posix', 'file:///app/[id]/a|b^c', '/app/[id]/a|b^c'],
    ['posix', 'file:///app%20/', '/app '],
    ['posix', 'file:///app///', '/app'],
    ['posix', 'FILE:///app', '/app'],
    ['posix', 'file:///C:/x', '/C:/x'],
    ['win32', 'file:///c%3a/temp', 'C:\\temp'],
    ['win32', 'file://localhost/C:/x', 'C:\\x'],
    ['win32', 'file:///C:/a~b/notes~.txt', 'C:\\a~b\\notes~.txt'],
    ['win32', 'file:///C:/com/nulls/icon.ts', 'C:\\com\\nulls\\icon.ts'],
  ] as const)('on %s, %j names %j', (platform, uri, path) => {
    expect(parseFileUri(uri, { platform })).toBe(path);
  });

  test('of a whole file system must be enabled explicitly', () => {
    expect(parseFileUri('file:///', { platform: 'posix', whole: true })).toBe('/');
    expect(parseFileUri('file:///C:/', { platform: 'win32', whole: true })).toBe('C:\\');
  });

  test('of a network share must be enabled explicitly, and needs a plain host', () => {
    const options = { platform: 'win32', unc: true } as const;
    expect(parseFileUri('file://server/share/p', options)).toBe('\\\\server\\share\\p');
    expect(() => parseFileUri('file://./x/y', options)).toThrow('device');
    expect(() => parseFileUri('file://server@SSL/x', options)).toThrow(RootwardError);
    expect(() => parseFileUri('file://server', options)).toThrow(RootwardError);
    expect(() => parseFileUri('file://server/share', { platform: 'posix', unc: true })).toThrow(
      'another host',
    );
  });
});

describe('toFileUri', () => {
  test.each([
    ['posix', '/', 'file:///'],
    ['posix', '/a b/c#d/e?f/50%', 'file:///a%20b/c%23d/e%3Ff/50%25'],
    ['posix', '/a//./b/', 'file:///a/b'],
    ['posix', '/caf\u00E9', 'file:///caf%C3%A9'],
    ['posix', '/@scope/a:b', 'file:///@scope/a:b'],
    ['win32', 'c:\\Users\\J D', 'file:///C:/Users/J%20D'],
    ['win32', 'C:/x/y/', 'file:///C:/x/y'],
    ['win32', '\\\\server\\share\\p', 'file://server/share/p'],
  ] as const)('on %s, %j is %s', (platform, path, uri) => {
    expect(toFileUri(path, { platform })).toBe(uri);
  });

  test.each([
    ['posix', 'a/b'],
    ['posix', ''],
    ['posix', '/a/../b'],
    ['posix', '/a\0b'],
    ['posix', '/\uD800'],
    ['win32', '/a'],
    ['win32', 'C:a'],
    ['win32', 'C:\\NUL'],
    ['win32', '\\\\?\\C:\\x'],
  ] as const)('on %s, refuses %j', (platform, path) => {
    expect(() => toFileUri(path, { platform })).toThrow(expect.objectContaining({ code: 'INVALID_PATH' }));
  });

  test.each(['posix', 'win32'] as const)('on %s, parseFileUri gives every path back', (platform) => {
    fc.assert(
      fc.property(nativePath(platform), (path) => {
        const uri = toFileUri(path, { platform });
        expect(uri).toMatch(/^file:\/\/\/[\u0021-\u007E]*$/);
        expect(parseFileUri(uri, { platform, whole: true })).toBe(path);
      }),
    );
  });
});

test('an accepted path is absolute, clean and stable, whatever was sent', () => {
  const noise = fc.string({
    unit: fc.constantFrom(...Array.from('file:/%2eE5cC|\\.~?# \0\tA9'), '\uD800', 'é'),
  });
  const uri = fc.oneof(
    noise,
    noise.map((tail) => `file:///${tail}`),
    noise.map((tail) => `file:///C:/${tail}`),
  );
  fc.assert(
    fc.property(uri, fc.constantFrom<Platform>('posix', 'win32'), (text, platform) => {
      const path = readFileUri(text, { platform });
      if (typeof path !== 'string') return;
      // A backslash is a letter like others on posix.
      expect(path).not.toMatch(
        platform === 'posix' ? /\0|(?:^|\/)\.\.?(?:\/|$)/ : /\0|(?:^|[\\/])\.\.?(?:[\\/]|$)/,
      );
      expect(parseFileUri(toFileUri(path, { platform }), { platform })).toBe(path);
    }),
    { numRuns: 2_000 },
  );
});

test('isFileUri checks only the scheme', () => {
  expect(isFileUri('FILE:x')).toBe(true);
  expect(isFileUri('files:///x')).toBe(false);
  expect(isFileUri('/file:')).toBe(false);
});

test('a fault reads as the end of a sentence', () => {
  expect(describeUriFault({ fault: 'host' })).toBe('it names another host');
});

test('a detail says more than the rule', () => {
  expect(describeUriFault({ fault: 'name', detail: 'it names a device' })).toBe('it names a device');
});

test.each([
  ['a.txt', true],
  ['ab:c.txt', true],
  ['../a', true],
  ['/a', false],
  ['file:a', false],
  ['https://x.example/a', false],
])('%s is relative: %s', (path, expected) => {
  expect(isRelative(path)).toBe(expected);
});

test('a drive makes a path absolute on Windows alone', () => {
  expect(isRelative('C:\\a', 'win32')).toBe(false);
  expect(isRelative('C:\\a', 'posix')).toBe(true);
});
