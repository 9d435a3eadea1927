import { describe, expect, test } from 'vitest';
import { exitClassOf, errorCodes, RootwardError, type ErrorCode, type ErrorData } from './errors.ts';

const attempt = { verb: 'read', path: 'src/x' };

/** One sample per code: a new code without a line here does not compile. */
const samples: { readonly [Code in ErrorCode]: ErrorData[Code] } = {
  INVALID_URI: { uri: 'x:y', reason: 'its scheme is not "file"' },
  INVALID_PATH: { path: 'a\0', reason: 'it contains NUL' },
  INVALID_GLOB: { pattern: '[', reason: 'a bracket or brace in it is not closed' },
  INVALID_POLICY: { where: 'roots["app"].allow[0]', reason: 'it is "delete"; operations are: read, write' },
  OUTSIDE_ROOTS: { path: '../x', roots: ['app', 'docs'] },
  NOT_FOUND: attempt,
  NOT_LISTED: { verb: 'read', path: 'A~1' },
  NOT_A_DIRECTORY: attempt,
  IS_A_DIRECTORY: attempt,
  ALREADY_EXISTS: attempt,
  NOT_EMPTY: attempt,
  NO_PERMISSION: attempt,
  TOO_MANY_LINKS: attempt,
  LINK_NOT_FOLLOWED: { ...attempt, reason: 'a link on the way is on a mount where links are not followed' },
  NAME_TOO_LONG: attempt,
  NO_SPACE: attempt,
  OTHER_DEVICE: attempt,
  BUSY: attempt,
  NOT_POSSIBLE: attempt,
  TREE_TOO_LARGE: attempt,
  IS_ROOT: attempt,
  HOLDS_ROOT: attempt,
  OTHER_MOUNT: attempt,
  HARD_LINK: attempt,
  SPECIAL_FILE: { ...attempt, kind: 'FIFO' },
  TOO_LARGE: { ...attempt, limit: 10 },
  TOO_MUCH_WORK: attempt,
  INVALID_MODE: { path: 'src/x', mode: '4755' },
  INVALID_RANGE: { ...attempt, reason: 'the range is not 0 ≤ start ≤ end' },
  NOT_TEXT: attempt,
  NOT_UTF8: attempt,
  RESULT_TOO_LARGE: { tool: 'list_directory', limit: 9_437_184 },
  EDIT_NOT_FOUND: { path: 'src/x', text: 'const a' },
  INVALID_PATTERN: { pattern: '(', reason: 'a group is not closed' },
  SEARCH_FAILED: { reason: 'ripgrep was killed' },
  SYSTEM: { ...attempt, errno: 'EIO' },
  DENIED: { operation: 'read', path: '.env', root: 'app', rule: 'deny:.env', reason: 'it holds secrets' },
  NOT_ASKED: {
    operation: 'write',
    path: 'src/x',
    root: 'app',
    rule: 'ask:write',
    reason: 'a person has to agree, and no person can be asked',
  },
  ROOT_MISSING: { root: 'app', path: 'src/x' },
  NO_PROJECT: { path: 'src/x', roots: ['app', 'docs'] },
  PROJECT_NOT_FOUND: {
    tried: ['roots: the client has none', 'pwd: not set'],
    remedy: 'Start in the project',
  },
  AMBIGUOUS_PROJECT: { candidates: ['app', 'docs'] },
  INVALID_MARKER: { marker: 'a/b', reason: 'it is more than one name' },
  TOO_BROAD: { verb: 'search', path: '/', reason: 'it is a whole file system' },
  NO_ROOTS: { why: 'the client took its roots back', remedy: 'Open a folder in the client' },
  CANNOT_SWITCH: { project: 'web', reason: 'no project has that name', known: ['app', 'docs'] },
  INVALID_CONFIG: { where: 'rootward.jsonc:3:5 merge', reason: 'it is "both"' },
  INVALID_PROFILE: { where: '[0].match', reason: 'a list is expected' },
  INTERNAL: { id: '7b1e' },
  CLOSED: { root: 'app' },
  WEAK_LEVEL: { level: 'verified', required: 'kernel' },
  AUDIT_FAILED: { reason: 'there is no space left' },
  STORE_DAMAGED: { file: 'roots.jsonc', line: 3, column: 5, reason: 'a comma is missing' },
  STORE_TOO_NEW: { file: 'roots.jsonc', version: 9, known: 1 },
  UNKNOWN_ROOT: { root: 'ap', known: ['app', 'docs'] },
  INVALID_NAME: { name: 'a\nb', reason: 'it has invisible characters' },
  UNSAFE_ROOT: { path: '/home/me', reason: 'it is the home directory', remedy: 'Open the project itself' },
  SHARED_PLACE: { path: '/srv/rootward', at: '/srv', owner: 7 },
  UNKNOWN_RULE: { glob: 'dist/**', reason: 'no rule denies it', known: ['secret/**'] },
  CANNOT_UNDO: { reason: 'it was changed again' },
  CANNOT_EXPOSE: { server: 'files', reason: 'the client is already connected' },
  CANNOT_CONFINE: { path: '.', reason: 'the sandbox could not be set up' },
  CANNOT_LISTEN: { address: '127.0.0.1:80', reason: 'the system does not permit it' },
  SESSIONS_UNAVAILABLE: { reason: 'no answer within 300 ms' },
  INVALID_REQUEST_STATE: { reason: 'it has expired' },
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
        "INVALID_PATH: Cannot use "a\\u{0}" as a path: it contains NUL — Give an absolute path, a file URI, or a path relative to the project",
        "INVALID_GLOB: Cannot use "[" as a glob: a bracket or brace in it is not closed — Write a pattern relative to the root, such as src/**/*.ts",
        "INVALID_POLICY: Cannot use the policy: roots["app"].allow[0]: it is "delete"; operations are: read, write — Correct the policy there and start again; no rule is ever ignored",
        "OUTSIDE_ROOTS: Cannot reach "../x": it is outside the roots — Roots are: app, docs",
        "NOT_FOUND: Cannot read "src/x": it does not exist — Check the spelling, or list the directory above it",
        "NOT_LISTED: Cannot read "A~1": a name in it is not listed by its directory — List the directory, and use a name from that listing",
        "NOT_A_DIRECTORY: Cannot read "src/x": it is not a directory — Name the file without a slash at the end, or a directory",
        "IS_A_DIRECTORY: Cannot read "src/x": it is a directory — Name a file in it, or list it",
        "ALREADY_EXISTS: Cannot read "src/x": it already exists — Choose another name, or replace it explicitly",
        "NOT_EMPTY: Cannot read "src/x": it is not empty — Remove what is in it first, or the whole tree",
        "NO_PERMISSION: Cannot read "src/x": the system does not permit it — Check its owner and mode, and whether it is read-only",
        "TOO_MANY_LINKS: Cannot read "src/x": too many symbolic links — Name the file that the links lead to",
        "LINK_NOT_FOLLOWED: Cannot read "src/x": a link on the way is on a mount where links are not followed — Use the path of the file or directory that the link leads to",
        "NAME_TOO_LONG: Cannot read "src/x": it is too long or too deep — Use shorter names, or begin further down",
        "NO_SPACE: Cannot read "src/x": there is no space left — Free some space and try again",
        "OTHER_DEVICE: Cannot read "src/x": source and target are on different file systems — Copy it, then remove the original",
        "BUSY: Cannot read "src/x": it is changing or in use — Try again",
        "NOT_POSSIBLE: Cannot read "src/x": that is not possible there — Check that the target is not inside the source",
        "TREE_TOO_LARGE: Cannot read "src/x": not everything in it can be checked — Work on a part of it",
        "IS_ROOT: Cannot read "src/x": it is the root itself — Name something beneath it",
        "HOLDS_ROOT: Cannot read "src/x": it is another root, or holds one — Work on the files in that root; to move or remove the root itself, take it off the list of roots first",
        "OTHER_MOUNT: Cannot read "src/x": it is on another mount — Make the mount a root of its own, or allow mounts",
        "HARD_LINK: Cannot read "src/x": it has more than one name — Copy it, or allow hard links",
        "SPECIAL_FILE: Cannot read "src/x": it is a FIFO — Only regular files and directories can be used",
        "TOO_LARGE: Cannot read "src/x": it is larger than 10 bytes — Read a part of it: head, tail, or a range of bytes",
        "TOO_MUCH_WORK: Cannot read "src/x": it takes too long — Ask for less at once",
        "INVALID_MODE: Cannot give "src/x" the mode 4755: it is not between 0 and 777 — Give permission bits only, such as 0o644",
        "INVALID_RANGE: Cannot read "src/x": the range is not 0 ≤ start ≤ end — Give whole numbers, 0 or greater, and either head or tail",
        "NOT_TEXT: Cannot read "src/x": it is not text — Read it as bytes instead: read_media_file",
        "NOT_UTF8: Cannot read "src/x": it is text, but not in UTF-8 — Convert it to UTF-8 first, or replace the whole file; nothing was changed",
        "RESULT_TOO_LARGE: Cannot answer list_directory: the result is larger than 9437184 bytes — Ask for less: a directory further down, a narrower pattern, a part of the file",
        "EDIT_NOT_FOUND: Cannot edit "src/x": it does not contain "const a" — Read the file and copy the text exactly; nothing was changed",
        "INVALID_PATTERN: Cannot search for "(": a group is not closed — Write a regular expression without look-around and backreferences, or ask for literal text",
        "SEARCH_FAILED: Cannot finish the search: ripgrep was killed — Try again; if that fails too, search in a subdirectory or for literal text",
        "SYSTEM: Cannot read "src/x": the system says EIO — Look up the code in the documentation of your system",
        "DENIED: Cannot read ".env": it holds secrets — Rule deny:.env of root "app" decides this; the operator of the server can change it",
        "NOT_ASKED: Cannot write "src/x": a person has to agree, and no person can be asked — Open the page with \`rootward web\` and try again, or allow write for root "app" in the settings",
        "ROOT_MISSING: Cannot reach "src/x": the folder of root "app" is gone — Put the folder back, or have another one granted; list_roots shows what is there",
        "NO_PROJECT: Cannot reach "src/x": no folder is known that it could start from — Give an absolute path; roots are: app, docs",
        "PROJECT_NOT_FOUND: Cannot determine the project: nothing names one — Start in the project",
        "AMBIGUOUS_PROJECT: Cannot determine the project: 2 are open — Name one of them: app, docs",
        "NO_ROOTS: Cannot reach any file: the client took its roots back — Open a folder in the client",
        "CANNOT_SWITCH: Cannot switch to "web": no project has that name — Known projects are: app, docs",
        "INVALID_MARKER: Cannot use "a/b" as a marker: it is more than one name — Give the name of one file or directory, such as .blue",
        "TOO_BROAD: Cannot search "/": it is a whole file system — Begin in a directory that holds your projects",
        "INVALID_CONFIG: Cannot use the settings: rootward.jsonc:3:5 merge: it is "both" — Correct them there and start again; no setting is ever ignored",
        "INVALID_PROFILE: Cannot use the client profiles: [0].match: a list is expected — Correct the row and start again; no row is ever ignored",
        "INTERNAL: Cannot finish this: an internal error occurred (7b1e) — Tell the operator of the server; its log has the details under this id",
        "CLOSED: Cannot use root "app": it is closed — Ask for the roots again; they have changed",
        "WEAK_LEVEL: Cannot guarantee level "kernel": this system offers "verified" — Mount /proc on Linux, or accept the weaker level explicitly with requireLevel",
        "AUDIT_FAILED: Cannot record the decision: there is no space left — Free some space, or check the directory of the log and its owner and mode; then try again",
        "STORE_DAMAGED: Cannot use "roots.jsonc": line 3, column 5: a comma is missing — Correct the file there; until then it is left as it is",
        "STORE_TOO_NEW: Cannot use "roots.jsonc": it has version 9, and 1 is the latest known here — Update Rootward; the file is left as it is",
        "UNKNOWN_ROOT: Cannot find root "ap": it is not stored — Stored roots are: app, docs",
        "INVALID_NAME: Cannot use "a\\u{a}b" as a name: it has invisible characters — Choose a short name in plain characters that no other root has",
        "UNSAFE_ROOT: Cannot keep "/home/me" as a root: it is the home directory — Open the project itself. To keep it anyway, use force",
        "SHARED_PLACE: Cannot use "/srv/rootward": "/srv" belongs to another user (7) — Run this as that user, or choose a directory of your own; ROOTWARD_HOME sets it for everything that Rootward stores",
        "UNKNOWN_RULE: Cannot allow "dist/**": no rule denies it — Denied here: secret/**",
        "CANNOT_UNDO: Cannot undo the change: it was changed again — Make the opposite change instead",
        "CANNOT_EXPOSE: Cannot expose roots to "files": the client is already connected — Call expose before the client connects, with the name and the command or URL of the server",
        "CANNOT_CONFINE: Cannot run a program in ".": the sandbox could not be set up — Work with the other tools; the operator of the server can look into the cause",
        "CANNOT_LISTEN: Cannot listen on "127.0.0.1:80": the system does not permit it — Choose another address or port, or correct the options, and start again",
        "SESSIONS_UNAVAILABLE: Cannot reach the sessions: no answer within 300 ms — Try again shortly; nothing was done",
        "INVALID_REQUEST_STATE: Cannot use the request state: it has expired — Call the tool again from the start",
      ]
    `);
  });

  test.each(errorCodes)('%s names what was asked, without a full stop, and what to do next', (code) => {
    const { message, hint } = new RootwardError(code, samples[code]);
    expect(message).toMatch(/^Cannot \w+ .*[^.]$/);
    expect(hint).toMatch(/^[A-Z].*[^.]$/);
  });
});

test.each(errorCodes)('%s is at most three short lines for a model', (code) => {
  const { message, hint } = new RootwardError(code, samples[code]);
  const lines = `${message}\n${hint}`.split('\n');
  expect(lines.length).toBeLessThanOrEqual(3);
  for (const line of lines) expect(line.length).toBeLessThan(250);
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
      hint: 'Give an absolute path, a file URI, or a path relative to the project',
      data: { path: 'a\0', reason: 'it contains NUL' },
    });
  });

  test('says that there are no roots if there are none', () => {
    expect(new RootwardError('OUTSIDE_ROOTS', { path: 'x', roots: [] }).hint).toContain('no roots');
  });
});

test.each([
  ['INVALID_CONFIG', 'usage'],
  ['PROJECT_NOT_FOUND', 'refused'],
  ['ALREADY_EXISTS', 'refused'],
  ['NOT_FOUND', 'failed'],
] as const)('a command that ends with %s has %s', (code, expected) => {
  expect(exitClassOf(code)).toBe(expected);
});
