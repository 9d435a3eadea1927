import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundaryCases } from '../../test/support/boundary/boundary-cases.ts';
import { readFileUri } from './file-uri.ts';
import type { Platform } from './platform.ts';
import { readRootUri, repairUri } from './read-root-uri.ts';

/** What real clients send, with the path it must mean and how that is reported. */
const sent: readonly (readonly [Platform, uri: string, path: string, ...codes: string[]])[] = [
  ['win32', 'file:///c%3A/temp', 'C:\\temp', 'encoded-drive-colon'],
  ['win32', 'file:///C:/Code/X', 'C:\\Code\\X'],
  ['win32', 'file:///c:/Users/J%20D/p', 'C:\\Users\\J D\\p'],
  ['win32', 'file://C:/Users/x', 'C:\\Users\\x', 'drive-in-authority'],
  ['win32', 'C:\\Users\\u\\p', 'C:\\Users\\u\\p', 'bare-path'],
  ['win32', '/c:/Users/u/p', 'C:\\Users\\u\\p', 'bare-path'],
  ['win32', 'file://H:\\Documents\\x', 'H:\\Documents\\x', 'backslash', 'drive-in-authority'],
  ['win32', 'FILE:/c%3a/x/', 'C:\\x', 'upper-case-scheme', 'short-form', 'encoded-drive-colon'],
  ['posix', 'file:///home/u/a%20b', '/home/u/a b'],
  ['posix', 'file:///home/u/my project', '/home/u/my project', 'raw-character'],
  ['posix', 'file:///home/u/{id}/a<b', '/home/u/{id}/a<b', 'raw-character'],
  ['posix', 'file:///home/u/c%23proj', '/home/u/c#proj'],
  ['posix', 'file:///home/u/100%25', '/home/u/100%'],
  ['posix', 'file:///home/u/100%', '/home/u/100%', 'bad-escape'],
  ['posix', 'file:///home/u/5% of x', '/home/u/5% of x', 'bad-escape', 'raw-character'],
  ['posix', 'file://localhost/home/u/p', '/home/u/p'],
  ['posix', 'file:/home/u/p', '/home/u/p', 'short-form'],
  ['posix', 'FILE:///home/u/p/', '/home/u/p', 'upper-case-scheme'],
  ['posix', '/Users/u/project', '/Users/u/project', 'bare-path'],
  ['posix', '/Users/u/100% #1 ?/', '/Users/u/100% #1 ?', 'bare-path'],
  ['posix', '/Users/u//./x', '/Users/u/x', 'bare-path'],
  ['posix', 'file:///home/u/././proj', '/home/u/proj', 'dot-segment'],
];

/** What must not be used, with the likelier meaning where there is one. */
const refused: readonly (readonly [
  platform: Platform,
  uri: string,
  code: string,
  alternative?: string | undefined,
])[] = [
  ['win32', 'file://server/share/p', 'network-share'],
  ['win32', '\\\\server\\share\\p', 'network-share'],
  ['win32', '\\\\?\\C:\\x', 'invalid'],
  ['win32', 'file:///home/u/p', 'posix-path-on-windows'],
  ['win32', '/home/u/p', 'posix-path-on-windows'],
  ['win32', 'file:///C:', 'invalid'],
  ['win32', 'C:x', 'invalid'],
  ['win32', 'file:///C:/', 'whole-file-system'],
  ['win32', 'D:\\', 'whole-file-system'],
  ['win32', 'file:///C:\\Users\\..\\x', 'invalid'],
  ['win32', 'file:///C:/a#b', 'query-or-fragment', 'C:\\a#b'],
  ['posix', 'file:///home/u/c#proj', 'query-or-fragment', '/home/u/c#proj'],
  ['posix', 'file:///home/u/proj?x=1', 'query-or-fragment', '/home/u/proj?x=1'],
  ['posix', 'file:///home/../c#proj', 'query-or-fragment'],
  ['posix', 'file:///c%3A/temp', 'drive-path-on-posix', '/mnt/c/temp'],
  ['posix', 'file:///D:/a/b', 'drive-path-on-posix', '/mnt/d/a/b'],
  ['posix', 'C:\\Users\\u', 'drive-path-on-posix', '/mnt/c/Users/u'],
  ['posix', 'file:///C:', 'drive-path-on-posix', '/mnt/c'],
  ['posix', 'file://server/share', 'foreign-host'],
  ['posix', 'file://home/u/p', 'foreign-host'],
  ['posix', 'vscode-remote://wsl%2Bubuntu-22.04/home/m/p', 'foreign-scheme'],
  ['posix', 'untitled:Untitled-1', 'foreign-scheme'],
  ['posix', 'file://${workspaceFolder}', 'placeholder'],
  ['posix', '${workspaceFolder}', 'placeholder'],
  ['posix', '/home/{{name}}', 'placeholder'],
  ['posix', '$(pwd)', 'placeholder'],
  ['win32', '%USERPROFILE%\\app', 'placeholder'],
  ['win32', 'file:///%USERPROFILE%/app', 'placeholder'],
  ['posix', '', 'empty'],
  ['posix', 'file:///%00/bad/path/L3g', 'opaque'],
  ['posix', 'src', 'relative'],
  ['posix', './src', 'relative'],
  ['posix', '~/src', 'relative'],
  ['posix', 'file:src', 'relative'],
  ['posix', '/', 'whole-file-system'],
  ['posix', 'file:///', 'whole-file-system'],
  ['posix', '/home/u/../x', 'invalid'],
  ['posix', 'file:///home/u/../x', 'invalid'],
  ['posix', 'file:///home/u/proj ', 'invalid'],
  ['posix', ' file:///home/u/proj', 'relative'],
  ['posix', 'file:///home/u/a%20b/100%', 'invalid'],
  ['posix', 'file:///home/u\\..\\etc', 'invalid'],
  ['posix', 'file:///home/u/%c0%af', 'invalid'],
  ['posix', 'file:///home/u/a\tb', 'invalid'],
];

describe('what clients send', () => {
  test.each(sent.map(([platform, uri, path, ...codes]) => ({ platform, uri, path, codes })))(
    'on $platform, $uri means $path',
    ({ platform, uri, path, codes }) => {
      const read = readRootUri(uri, { platform });
      expect(read.path).toBe(path);
      expect(read.issues.map(({ code }) => code)).toEqual(codes);
      for (const issue of read.issues) expect(issue).toMatchObject({ effect: 'repaired', entry: uri });
    },
  );

  test.each(refused.map(([platform, uri, code, alternative]) => ({ platform, uri, code, alternative })))(
    'on $platform, $uri is dropped: $code',
    ({ platform, uri, code, alternative }) => {
      const read = readRootUri(uri, { platform });
      expect(read.path).toBeUndefined();
      expect(read.issues).toEqual([expect.objectContaining({ code, effect: 'dropped', entry: uri })]);
      expect(read.issues[0]?.alternative).toBe(alternative);
    },
  );

  test('a network share is read when the operator asks for it', () => {
    const options = { platform: 'win32', unc: true } as const;
    expect(readRootUri('file://server/share/p', options).path).toBe('\\\\server\\share\\p');
    expect(readRootUri('\\\\server\\share\\p', options).path).toBe('\\\\server\\share\\p');
  });

  test('a placeholder is named in the message', () => {
    const [issue] = readRootUri('file://${workspaceFolder}/x', { platform: 'posix' }).issues;
    expect(issue?.message).toContain('${workspaceFolder}');
  });

  test('an encoded percent sign next to letters is no placeholder', () => {
    expect(readRootUri('file:///home/%C2%ABcd%20x', { platform: 'posix' }).path).toBe('/home/«cd x');
  });
});

describe('leniency', () => {
  test.each(boundaryCases('root-uri').filter(({ verdict }) => verdict === 'accept'))(
    '$id reads what the strict parser reads: $input',
    ({ input, platform, resolved }) => {
      expect(readRootUri(input, { platform }).path).toBe(resolved);
    },
  );

  test('never gives another path than the strict parser does', () => {
    const text = fc
      .string({ unit: fc.constantFrom(...Array.from('file:/%2e3A5cC\\.? #{x}$')) })
      .map((tail) => `file:///${tail}`);
    fc.assert(
      fc.property(text, fc.constantFrom<Platform>('posix', 'win32'), (uri, platform) => {
        const strict = readFileUri(uri, { platform });
        const { path, issues } = readRootUri(uri, { platform });
        if (typeof strict === 'string') expect([strict, undefined]).toContain(path);
        else if (path !== undefined) expect(issues.length).toBeGreaterThan(0);
        if (path !== undefined) expect(path).not.toMatch(/(?:^|[\\/])\.\.(?:[\\/]|$)/);
      }),
      { numRuns: 2_000 },
    );
  });
});

test('a good URI is left alone', () => {
  expect(repairUri('file:///home/u/a%20b', 'posix')).toEqual({ uri: 'file:///home/u/a%20b', codes: [] });
});

test('repairs are listed in the order in which they were made', () => {
  expect(repairUri('File://C:\\a b', 'win32')).toEqual({
    uri: 'file:///C:/a%20b',
    codes: ['upper-case-scheme', 'backslash', 'drive-in-authority', 'raw-character'],
  });
});

test('a Windows mistake is not repaired on posix', () => {
  expect(repairUri('file://C:\\a', 'posix').uri).toBe('file://C:\\a');
});

test('a raw percent sign beside a valid escape is ambiguous, and stays', () => {
  expect(repairUri('file:///a%20b/5%', 'posix').uri).toBe('file:///a%20b/5%');
});

test('white space at either end stays', () => {
  expect(repairUri('file:///a ', 'posix').uri).toBe('file:///a ');
});
