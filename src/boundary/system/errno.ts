import { RootwardError, type Attempt, type ErrorCode, type ErrorData } from '../../errors.ts';

/**
 * Translates an error of the system into a `RootwardError`. Only this file knows errno. The system's message,
 * which may contain real paths, stays in `cause`, which never leaves the process.
 */
export function translate(error: unknown, attempt: Attempt): Error {
  if (RootwardError.is(error) || !isErrno(error))
    return error instanceof Error ? error : new Error(String(error));
  const code = codes[error.code];
  if (code !== undefined) return refusal(code, attempt, error);
  const { verb, path } = attempt;
  return new RootwardError('SYSTEM', { verb, path, errno: error.code }, { cause: error });
}

/** Creates a refusal that carries only verb and path, whatever else the request holds. */
export function refusal(code: PlainCode, { verb, path }: Attempt, cause?: Error): RootwardError {
  return new RootwardError<PlainCode>(code, { verb, path }, cause === undefined ? {} : { cause });
}

/**
 * Creates an error like the system's, for conditions that Rootward finds itself. Translated like the others.
 */
export function errnoError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}

/** Whether an error is the system's, and one of the given codes if there are any. */
export function isErrno(
  error: unknown,
  ...wanted: readonly string[]
): error is NodeJS.ErrnoException & { code: string } {
  if (!(error instanceof Error) || RootwardError.is(error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && (wanted.length === 0 || wanted.includes(code));
}

/** Codes that carry nothing but the attempt. */
export type PlainCode = { [Code in ErrorCode]: Attempt extends ErrorData[Code] ? Code : never }[ErrorCode];

const codes: Readonly<Record<string, PlainCode>> = {
  ENOENT: 'NOT_FOUND',
  ENOTDIR: 'NOT_A_DIRECTORY',
  EISDIR: 'IS_A_DIRECTORY',
  EEXIST: 'ALREADY_EXISTS',
  ENOTEMPTY: 'NOT_EMPTY',
  EACCES: 'NO_PERMISSION',
  EPERM: 'NO_PERMISSION',
  EROFS: 'NO_PERMISSION',
  ETXTBSY: 'NO_PERMISSION',
  ELOOP: 'TOO_MANY_LINKS',
  ENAMETOOLONG: 'NAME_TOO_LONG',
  ENOSPC: 'NO_SPACE',
  EDQUOT: 'NO_SPACE',
  EFBIG: 'NO_SPACE',
  EXDEV: 'OTHER_DEVICE',
  EINVAL: 'NOT_POSSIBLE',
  EBUSY: 'BUSY',
  EMFILE: 'BUSY',
  ENFILE: 'BUSY',
  EAGAIN: 'BUSY',
  ESTALE: 'BUSY',
};
