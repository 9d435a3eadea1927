import { expect, test } from 'vitest';
import { repairUri } from './repair-uri.ts';

test('a good URI is left alone', () => {
  expect(repairUri('file:///home/u/a%20b', 'posix')).toEqual({ uri: 'file:///home/u/a%20b', codes: [] });
});

test('repairs are named in the order in which they were made', () => {
  expect(repairUri('File://C:\\a b', 'win32')).toEqual({
    uri: 'file:///C:/a%20b',
    codes: ['upper-case-scheme', 'backslash', 'drive-in-authority', 'raw-character'],
  });
});

test('a Windows slip is not repaired on posix', () => {
  expect(repairUri('file://C:\\a', 'posix').uri).toBe('file://C:\\a');
});

test('a raw percent sign beside a good encoding could mean two things, and stays', () => {
  expect(repairUri('file:///a%20b/5%', 'posix').uri).toBe('file:///a%20b/5%');
});

test('white space at either end stays', () => {
  expect(repairUri('file:///a ', 'posix').uri).toBe('file:///a ');
});
