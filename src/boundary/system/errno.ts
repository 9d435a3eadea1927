import { RootwardError, type Attempt, type ErrorCode, type ErrorData } from '../../errors.ts';

/**
 * The system's error as one of ours. The only place that knows errno: what the system says about real paths
 * stays in `cause`, which never leaves the process.
 */
export function translate(error: unknown, attempt: Attempt): Error {
  if (RootwardError.is(error) || !isErrno(error))
    return error instanceof Error ? error : new Error(String(error));
  const code = codes[error.code];
  if (code !== undefined) return refusal(code, attempt, error);
  const { verb, path } = attempt;
  return new RootwardError('SYSTEM', { verb, path, errno: error.code }, { cause: error });
}

/** A refusal that carries nothing but what was tried, whatever else the request holds. */
export function refusal(code: PlainCode, { verb, path }: Attempt, cause?: Error): RootwardError {
  return new RootwardError<PlainCode>(code, { verb, path }, cause === undefined ? {} : { cause });
}

/** An error as the system would give it, for what we find out ourselves. Translated like the others. */
export function errnoError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}

/** Whether an error of the system is one of these. */
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
