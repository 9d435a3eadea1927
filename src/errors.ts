import { quote } from './quote.ts';

/** What each code carries. The set is closed: a new failure is one entry here and one in the table below. */
export interface ErrorData {
  /** A text that is not a file URI, or not one that may name a root. */
  INVALID_URI: { readonly uri: string; readonly reason: string };
  /** A native path that cannot name a file on its platform. */
  INVALID_PATH: { readonly path: string; readonly reason: string };
  /** A glob that is malformed or too expensive. */
  INVALID_GLOB: { readonly pattern: string; readonly reason: string };
  /** A path that no root holds, or that leads out of its root. Says nothing about what is there. */
  OUTSIDE_ROOTS: { readonly path: string; readonly roots: readonly string[] };
}

export type ErrorCode = keyof ErrorData;

interface Wording<Data> {
  readonly message: (data: Data) => string;
  readonly hint: (data: Data) => string;
}

const wordings: { readonly [Code in ErrorCode]: Wording<ErrorData[Code]> } = {
  INVALID_URI: {
    message: ({ uri, reason }) => `Cannot read ${quote(uri)} as a file URI: ${reason}`,
    hint: () => 'Send an absolute file URI such as file:///home/me/app or file:///C:/Users/me/app',
  },
  INVALID_PATH: {
    message: ({ path, reason }) => `Cannot use ${quote(path)} as a path: ${reason}`,
    hint: () => 'Give an absolute path, or one relative to the only root',
  },
  INVALID_GLOB: {
    message: ({ pattern, reason }) => `Cannot use ${quote(pattern)} as a glob: ${reason}`,
    hint: () => 'Write a pattern relative to the root, such as src/**/*.ts',
  },
  OUTSIDE_ROOTS: {
    message: ({ path }) => `Cannot reach ${quote(path)}: it is outside the roots`,
    hint: ({ roots }) => (roots.length === 0 ? 'There are no roots' : `Roots are: ${roots.join(', ')}`),
  },
};

/**
 * The one error of Rootward: a code with its data, a message that repeats the input as it was asked, and a
 * hint that names the next step.
 *
 * @example
 * ```ts
 * const error = new RootwardError('INVALID_PATH', { path: 'a\u0000b', reason: 'it contains NUL' });
 * error.message // → 'Cannot use "a\\u{0}b" as a path: it contains NUL'
 * RootwardError.is(error, 'INVALID_PATH') // → true
 * RootwardError.is(error, 'INVALID_GLOB') // → false
 * ```
 */
export class RootwardError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'RootwardError';
  readonly code: Code;
  readonly data: ErrorData[Code];
  readonly hint: string;

  constructor(code: Code, data: ErrorData[Code], options?: ErrorOptions) {
    const wording: Wording<ErrorData[Code]> = wordings[code];
    super(wording.message(data), options);
    this.code = code;
    this.data = data;
    this.hint = wording.hint(data);
  }

  /** Whether a caught value is ours, and of this code. Works across two copies of the package. */
  static is<Code extends ErrorCode = ErrorCode>(error: unknown, code?: Code): error is RootwardError<Code> {
    if (!(error instanceof Error) || error.name !== 'RootwardError' || !('code' in error)) return false;
    return code === undefined || error.code === code;
  }

  /** What a program on the other side of a wire may see. The cause stays here. */
  toJSON(): { code: Code; message: string; hint: string; data: ErrorData[Code] } {
    return { code: this.code, message: this.message, hint: this.hint, data: this.data };
  }
}

/** Every code, for documents and for tests that must not forget one. */
export const errorCodes: readonly ErrorCode[] = Object.keys(wordings) as ErrorCode[];
