import type { ContractCase, Difference } from './contract-cases.ts';

const refused = { refused: true } as const;

/** Where ours answers otherwise than the reference, and why. Everything else is the same. */
export const differences: Readonly<Record<string, Difference>> = {
  'the last lines of a text that ends with a newline': {
    tool: 'read_text_file',
    input: { path: '$TREE/app/a.txt', tail: 2 },
    why: 'A newline ends a line; the nothing after it is none. Two lines are two lines.',
    theirs: { text: 'three\n' },
    ours: { text: 'two\nthree\n' },
  },
  'the last lines with carriage returns': {
    tool: 'read_text_file',
    input: { path: '$TREE/app/crlf.txt', tail: 9 },
    why: 'What is read can be compared with what is there.',
    theirs: { text: 'one\ntwo\nthree\n' },
    ours: { text: 'one\r\ntwo\r\nthree\r\n' },
  },
  'half a line': {
    tool: 'read_text_file',
    input: { path: '$TREE/app/a.txt', head: 1.5 },
    why: 'A number that makes no sense is a mistake, and a mistake is said.',
    theirs: { text: 'one\ntwo' },
    ours: refused,
  },
  'fewer lines than none': {
    tool: 'read_text_file',
    input: { path: '$TREE/app/a.txt', tail: -1 },
    why: 'A number that makes no sense is a mistake, and a mistake is said.',
    theirs: { text: '' },
    ours: refused,
  },
  'an edit of a text with carriage returns': {
    tool: 'edit_file',
    input: {
      path: '$TREE/app/crlf.txt',
      edits: [{ oldText: 'one\ntwo', newText: '1\n2' }],
      dryRun: false,
    },
    files: ['crlf.txt'],
    why: 'An edit of two lines must not change the ends of all others.',
    theirs: { text: '1\n2\nthree\n' },
    ours: { text: '1\r\n2\r\nthree\r\n' },
  },
  'several lines with other indentation': {
    tool: 'edit_file',
    input: {
      path: '$TREE/app/indented.ts',
      edits: [{ oldText: 'if (a) {\n  b();\n}', newText: 'if (c) {\n  d();\n}' }],
    },
    files: ['indented.ts'],
    why: 'The new lines get the indentation of those that they replace, all of them.',
    theirs: { text: '  if (c) {\n  d();\n}\n' },
    ours: { text: '  if (c) {\n    d();\n  }\n' },
  },
  'a link that leaves, by its name': {
    tool: 'search_files',
    input: { path: '$TREE/app', pattern: 'lea*' },
    why: 'A listing shows the name as well; nothing is looked at behind it.',
    theirs: { text: 'No matches found' },
    ours: { text: '$TREE/app/leaving' },
  },
  'a glob that negates': {
    tool: 'search_files',
    input: { path: '$TREE/app/src', pattern: '!*.ts' },
    why: 'Extended globs can take hours (H13); one that is not supported is said to be.',
    theirs: {
      text: '$TREE/app/src/deep\n$TREE/app/src/deep/y.ts\n$TREE/app/src/node_modules\n$TREE/app/src/node_modules/k.js',
    },
    ours: refused,
  },
  'a glob that is none': {
    tool: 'search_files',
    input: { path: '$TREE/app/src', pattern: '[x' },
    why: 'A mistake in a glob is said, not answered with nothing.',
    theirs: { text: 'No matches found' },
    ours: refused,
  },
  'a glob of nothing': {
    tool: 'search_files',
    input: { path: '$TREE/app/src', pattern: '' },
    why: 'A mistake in a glob is said, not answered with nothing.',
    theirs: { text: 'No matches found' },
    ours: refused,
  },
};

/** The outcome of a start, as far as its caller can tell. */
export interface Start {
  readonly code: number;
  /** What may be reached afterwards; `undefined` where no call is answered with that. */
  readonly reached?: readonly string[];
  /** What stderr says, in parts. `[]`: not a word. */
  readonly says: readonly string[];
}

/** A start where ours does otherwise, on purpose. */
export interface StartDifference {
  /** Names in a tree with the directories `one` and `two` and the file `note.txt`. */
  readonly directories: readonly string[];
  readonly why: string;
  readonly theirs: Start;
  readonly ours: Start;
}

/** Where ours starts otherwise than the reference, and why. Every other start that it publishes a test of is the same. */
export const startDifferences: Readonly<Record<string, StartDifference>> = {
  'all is well': {
    directories: ['one', 'two'],
    why: 'Many clients show stderr as a fault. What says nothing has nothing to say, and the name is not ours.',
    theirs: { code: 0, reached: ['one', 'two'], says: ['Secure MCP Filesystem Server running on stdio'] },
    ours: { code: 0, reached: ['one', 'two'], says: [] },
  },
  'nothing that is named is there': {
    directories: ['missing', 'gone'],
    why: 'A server that ends tells a model nothing. Ours answers with what was tried, and recovers.',
    theirs: { code: 1, says: ['None of the specified directories are accessible'] },
    ours: { code: 0, says: ['Warning: Cannot access directory', '$TREE/missing', '$TREE/gone'] },
  },
  'a file among the directories': {
    directories: ['note.txt', 'one'],
    why: 'One file can be a root here, and nothing beside it is reached.',
    theirs: { code: 0, reached: ['one'], says: ['Warning:', 'not a directory'] },
    ours: { code: 0, reached: ['note.txt', 'one'], says: [] },
  },
};

/** A call through a link from one directory that is served into another one: theirs follows it, ours refuses. */
export interface LinkDifference extends ContractCase {
  /** What tells that it was followed. */
  readonly reached: string;
}

/**
 * Why: a root is a promise of its own, with rules of its own. What is asked for in one must not read or change
 * another, because of a link that a repository brought; by its own path it can be had. See decision 13.
 */
export const linkDifferences: Readonly<Record<string, LinkDifference>> = {
  'a file, read by a relative link': {
    tool: 'read_text_file',
    input: { path: '$TREE/one/relative.txt' },
    reached: 'other',
  },
  'a file, read by an absolute link': {
    tool: 'read_text_file',
    input: { path: '$TREE/one/absolute.txt' },
    reached: 'other',
  },
  'a file beneath a linked directory': {
    tool: 'read_text_file',
    input: { path: '$TREE/one/linked/a.txt' },
    reached: 'other',
  },
  'a linked directory, listed': {
    tool: 'list_directory',
    input: { path: '$TREE/one/linked' },
    reached: '[FILE] a.txt',
  },
  'a new file in a linked directory': {
    tool: 'write_file',
    input: { path: '$TREE/one/linked/new.txt', content: 'new' },
    reached: 'Successfully wrote',
  },
};
