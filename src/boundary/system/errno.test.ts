import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RootwardError } from '../../errors.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { isErrno, refusal, translate } from './errno.ts';

const attempt = { verb: 'read', path: 'notes.txt' };

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: open '/home/me/secret/notes.txt'`), {
    code,
    errno: -1,
    path: '/home/me/secret/notes.txt',
  });
}

describe('translate', () => {
  test.each([
    ['ENOENT', 'NOT_FOUND'],
    ['ENOTDIR', 'NOT_A_DIRECTORY'],
    ['EISDIR', 'IS_A_DIRECTORY'],
    ['EEXIST', 'ALREADY_EXISTS'],
    ['ENOTEMPTY', 'NOT_EMPTY'],
    ['EACCES', 'NO_PERMISSION'],
    ['EPERM', 'NO_PERMISSION'],
    ['EROFS', 'NO_PERMISSION'],
    ['ETXTBSY', 'NO_PERMISSION'],
    ['ELOOP', 'TOO_MANY_LINKS'],
    ['ENAMETOOLONG', 'NAME_TOO_LONG'],
    ['ENOSPC', 'NO_SPACE'],
    ['EDQUOT', 'NO_SPACE'],
    ['EFBIG', 'NO_SPACE'],
    ['EXDEV', 'OTHER_DEVICE'],
    ['EINVAL', 'NOT_POSSIBLE'],
    ['EBUSY', 'BUSY'],
    ['EMFILE', 'BUSY'],
    ['ENFILE', 'BUSY'],
    ['EAGAIN', 'BUSY'],
    ['ESTALE', 'BUSY'],
  ])('%s is %s', (errno, code) => {
    expect(translate(systemError(errno), attempt)).toMatchObject({ code, data: attempt });
  });

  test('an unknown errno becomes SYSTEM and keeps its name', () => {
    const error = translate(systemError('EIO'), attempt);
    expect(error).toMatchObject({ code: 'SYSTEM', data: { ...attempt, errno: 'EIO' } });
    expect(error.message).toBe('Cannot read "notes.txt": the system says EIO');
  });

  test.each(['ENOENT', 'EIO'])('the path in the message of %s stays in the cause', (errno) => {
    const cause = systemError(errno);
    const error = translate(cause, attempt);
    expect(error.cause).toBe(cause);
    expect(error.message).not.toContain('secret');
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  test('only verb and path of a request are used', () => {
    const request = { ...attempt, operation: 'read', makeMissing: true };
    expect(translate(systemError('ENOENT'), request)).toMatchObject({ data: attempt });
    expect(JSON.stringify(translate(systemError('EIO'), request))).not.toContain('makeMissing');
  });

  test('a real error of the system is reported by the path as asked', () => {
    using tree = tempTree();
    try {
      readFileSync(tree.at('notes.txt'));
      expect.unreachable();
    } catch (error) {
      expect(translate(error, attempt).message).toBe('Cannot read "notes.txt": it does not exist');
    }
  });

  test.each([
    new RootwardError('CLOSED', { root: 'app' }),
    new TypeError('a mistake of ours'),
    new DOMException('stop', 'AbortError'),
  ])('%s passes unchanged', (error) => {
    expect(translate(error, attempt)).toBe(error);
  });

  test('a thrown value that is not an error becomes one', () => {
    expect(translate('odd', attempt)).toEqual(new Error('odd'));
  });
});

describe('isErrno', () => {
  test('recognises errors of the system, by code if one is given', () => {
    expect(isErrno(systemError('ENOENT'))).toBe(true);
    expect(isErrno(systemError('ENOENT'), 'EEXIST', 'ENOENT')).toBe(true);
    expect(isErrno(systemError('ENOENT'), 'EEXIST')).toBe(false);
  });

  test.each([
    ['ours', new RootwardError('CLOSED', { root: 'app' })],
    ['without a code', new Error('ENOENT')],
    ['with a number as code', new DOMException('stop', 'AbortError')],
    ['no error', { code: 'ENOENT' }],
  ])('is not fooled by an error that is %s', (_what, error) => {
    expect(isErrno(error)).toBe(false);
  });
});

test('a refusal carries only the attempt, whatever else the request holds', () => {
  const cause = new Error('why');
  const request = { ...attempt, operation: 'read' };
  const error = refusal('IS_ROOT', request, cause);
  expect(error).toMatchObject({ code: 'IS_ROOT', cause });
  expect(error.data).toEqual(attempt);
  expect(refusal('IS_ROOT', attempt).cause).toBeUndefined();
});
