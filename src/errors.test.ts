import { describe, expect, test } from 'vitest';
import { errorCodes, RootwardError, type ErrorCode, type ErrorData } from './errors.ts';

const attempt = { verb: 'read', path: 'src/x' };

/** One sample per code: a new code without a line here does not compile. */
const samples: { readonly [Code in ErrorCode]: ErrorData[Code] } = {
  INVALID_URI: { uri: 'x:y', reason: 'its scheme is not "file"' },
  INVALID_PATH: { path: 'a\0', reason: 'it contains NUL' },
  INVALID_GLOB: { pattern: '[', reason: 'a bracket or brace in it is not closed' },
  INVALID_POLICY: { where: 'roots["app"].allow[0]', reason: 'it is "delete"; operations are: read, write' },
  OUTSIDE_ROOTS: { path: '../x', roots: ['app', 'docs'] },
  NOT_FOUND: attempt,
  NOT_A_DIRECTORY: attempt,
  IS_A_DIRECTORY: attempt,
  ALREADY_EXISTS: attempt,
  NOT_EMPTY: attempt,
  NO_PERMISSION: attempt,
  TOO_MANY_LINKS: attempt,
  NAME_TOO_LONG: attempt,
  NO_SPACE: attempt,
  OTHER_DEVICE: attempt,
  BUSY: attempt,
  NOT_POSSIBLE: attempt,
  IS_ROOT: attempt,
  OTHER_MOUNT: attempt,
  HARD_LINK: attempt,
  SPECIAL_FILE: { ...attempt, kind: 'FIFO' },
  TOO_LARGE: { ...attempt, limit: 10 },
  INVALID_MODE: { path: 'src/x', mode: '4755' },
  INVALID_RANGE: { ...attempt, reason: 'the range is not 0 ≤ start ≤ end' },
  SYSTEM: { ...attempt, errno: 'EIO' },
  CLOSED: { root: 'app' },
  WEAK_LEVEL: { level: 'verified', required: 'kernel' },
};

describe('every error', () => {
  test('is pinned with its message and hint', () => {
    const lines = errorCodes.map((code) => {
      const { message, hint } = new RootwardError(code, samples[code]);
      return `${code}: ${message} — ${hint}`;
    });
    expect(lines).toMatchInlineSnapshot(`
      [
        "INVALID_URI: Cannot read "x:y" as a file URI: its scheme is not "file" — Send an absolute file URI such as file:///home/me/app or file:///C:/Users/me/app",
        "INVALID_PATH: Cannot use "a\\u{0}" as a path: it contains NUL — Give an absolute path, or one relative to the only root",
        "INVALID_GLOB: Cannot use "[" as a glob: a bracket or brace in it is not closed — Write a pattern relative to the root, such as src/**/*.ts",
        "INVALID_POLICY: Cannot use the policy: roots["app"].allow[0]: it is "delete"; operations are: read, write — Correct the policy there and start again; no rule is ever ignored",
        "OUTSIDE_ROOTS: Cannot reach "../x": it is outside the roots — Roots are: app, docs",
      ]
    `);
  });

  test.each(errorCodes)('%s says what was asked, without a full stop, and what to do next', (code) => {
    const { message, hint } = new RootwardError(code, samples[code]);
    expect(message).toMatch(/^Cannot \w+ .*[^.]$/);
    expect(hint).toMatch(/^[A-Z].*[^.]$/);
  });
});

describe('RootwardError', () => {
  const error = new RootwardError('OUTSIDE_ROOTS', samples.OUTSIDE_ROOTS);

  test('is told by its code', () => {
    expect(RootwardError.is(error)).toBe(true);
    expect(RootwardError.is(error, 'OUTSIDE_ROOTS')).toBe(true);
    expect(RootwardError.is(error, 'INVALID_URI')).toBe(false);
    if (RootwardError.is(error, 'OUTSIDE_ROOTS')) expect(error.data.roots).toEqual(['app', 'docs']);
  });

  test.each([
    undefined,
    null,
    'OUTSIDE_ROOTS',
    new Error('x'),
    { name: 'RootwardError', code: 'INVALID_URI' },
  ])('is not %s', (value) => {
    expect(RootwardError.is(value)).toBe(false);
  });

  test('crosses a wire without its cause', () => {
    const caused = new RootwardError('INVALID_PATH', samples.INVALID_PATH, {
      cause: new Error('/secret/target'),
    });
    expect(caused.cause).toBeInstanceOf(Error);
    expect(JSON.parse(JSON.stringify(caused))).toEqual({
      code: 'INVALID_PATH',
      message: 'Cannot use "a\\u{0}" as a path: it contains NUL',
      hint: 'Give an absolute path, or one relative to the only root',
      data: { path: 'a\0', reason: 'it contains NUL' },
    });
  });

  test('says that there are no roots when there are none', () => {
    expect(new RootwardError('OUTSIDE_ROOTS', { path: 'x', roots: [] }).hint).toContain('no roots');
  });
});
