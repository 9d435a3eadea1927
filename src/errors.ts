import { escapeText, quote } from './base/quote.ts';

/** The data of each code. The set is closed: a new failure is one entry here and one in the table below. */
export interface ErrorData {
  /** A text that is not a file URI, or not one that may name a root. */
  INVALID_URI: { readonly uri: string; readonly reason: string };
  /** A native path that cannot name a file on its platform. */
  INVALID_PATH: { readonly path: string; readonly reason: string };
  /** A glob that is malformed or too expensive. */
  INVALID_GLOB: { readonly pattern: string; readonly reason: string };
  /** Rules that cannot be used as they are written. */
  INVALID_POLICY: { readonly where: string; readonly reason: string };
  /** A path that no root holds, or that leads out of its root. Does not reveal whether anything is there. */
  OUTSIDE_ROOTS: { readonly path: string; readonly roots: readonly string[] };
  NOT_FOUND: Attempt;
  /**
   * A file that the disk opens under a name its directory does not list, so rules on names cannot judge it.
   */
  NOT_LISTED: Attempt;
  NOT_A_DIRECTORY: Attempt;
  IS_A_DIRECTORY: Attempt;
  ALREADY_EXISTS: Attempt;
  NOT_EMPTY: Attempt;
  /** The system refuses: mode, owner, or a file system that is mounted read-only. */
  NO_PERMISSION: Attempt;
  /** A chain of links that is too long or leads to itself. */
  TOO_MANY_LINKS: Attempt;
  /** A link that the system itself would not follow. */
  LINK_NOT_FOLLOWED: Attempt & { readonly reason: string };
  NAME_TOO_LONG: Attempt;
  NO_SPACE: Attempt;
  /** Source and target are on two file systems. */
  OTHER_DEVICE: Attempt;
  /** The place changed during the operation, or the system is out of file handles. */
  BUSY: Attempt;
  /** The system reports that this operation does not apply to this file. */
  NOT_POSSIBLE: Attempt;
  /** A tree that is too large to check, or has parts that cannot be read. */
  TREE_TOO_LARGE: Attempt;
  /** The root itself: it may be listed, but not written, renamed, removed or given another mode. */
  IS_ROOT: Attempt;
  /** An entry that is a root or contains one; it cannot be renamed or removed. */
  HOLDS_ROOT: Attempt;
  /** A mount point within the root, where mounts are refused. */
  OTHER_MOUNT: Attempt;
  /** A file with a second name, where hard links are refused. */
  HARD_LINK: Attempt;
  /** A FIFO, socket or device. */
  SPECIAL_FILE: Attempt & { readonly kind: string };
  TOO_LARGE: Attempt & { readonly limit: number };
  /** Work that would block the process for too long. */
  TOO_MUCH_WORK: Attempt;
  /** Permission bits beyond 0777. */
  INVALID_MODE: { readonly path: string; readonly mode: string };
  /** A range of bytes or lines that is not valid. */
  INVALID_RANGE: Attempt & { readonly reason: string };
  /** A binary file where text was asked for. */
  NOT_TEXT: Attempt;
  /** Text in another encoding, which an edit would damage outside of the edited part. */
  NOT_UTF8: Attempt;
  /** More than a message to a client may hold. */
  RESULT_TOO_LARGE: { readonly tool: string; readonly limit: number };
  /** A text to replace that is not in the file. */
  EDIT_NOT_FOUND: { readonly path: string; readonly text: string };
  /** A regular expression that is malformed or takes too long. */
  INVALID_PATTERN: { readonly pattern: string; readonly reason: string };
  /** A program that searches and has ended before it was done. */
  SEARCH_FAILED: { readonly reason: string };
  /** Any other failure of the system, with its errno name. */
  SYSTEM: Attempt & { readonly errno: string };
  /** A rule refuses, or a question was not answered with yes. */
  DENIED: {
    readonly operation: string;
    readonly path: string;
    readonly root: string;
    readonly rule: string;
    readonly reason: string;
  };
  /** A person has to agree, and there is no way to ask one. */
  NOT_ASKED: {
    readonly operation: string;
    readonly path: string;
    readonly root: string;
    readonly rule: string;
    readonly reason: string;
    /** Replaces the end of the hint, where no rule of a root could allow it. */
    readonly remedy?: string;
  };
  /** A root that was granted and is no longer there. */
  ROOT_MISSING: { readonly root: string; readonly path?: string; readonly remedy?: string };
  /** A relative path, where the project is not known or is only a name. */
  NO_PROJECT: { readonly path: string; readonly roots: readonly string[] };
  /** No source named a project that could be used. */
  PROJECT_NOT_FOUND: {
    /** Every source with its outcome. `why` shows them; the message has one clause. */
    readonly tried: readonly string[];
    readonly reason?: string;
    readonly remedy: string;
    /** Replaces the message, where a preset promises its exact wording. */
    readonly text?: string;
  };
  /** Several projects are open, and no signal tells which one is meant. */
  AMBIGUOUS_PROJECT: { readonly candidates: readonly string[] };
  /** There is no root to work in. */
  NO_ROOTS: { readonly why: string; readonly remedy: string };
  /** A switch to a project that does not exist or is not allowed. */
  CANNOT_SWITCH: {
    readonly project: string;
    readonly reason: string;
    readonly known: readonly string[];
    /** Replaces the hint, where there is another way to work in the project. */
    readonly remedy?: string;
  };
  /** A product's own marker that is not the name of one file or directory. */
  INVALID_MARKER: { readonly marker: string; readonly reason: string };
  /** A place too broad or too dangerous to be searched. */
  TOO_BROAD: Attempt & { readonly reason: string };
  /** Settings that cannot be used as they are written. */
  INVALID_CONFIG: { readonly where: string; readonly reason: string };
  /** A row of client facts that cannot be read. */
  INVALID_PROFILE: { readonly where: string; readonly reason: string };
  /** An unexpected failure. The details are in the log of the server. */
  INTERNAL: { readonly id: string };
  /** A boundary that was closed. */
  CLOSED: { readonly root: string };
  /** The system cannot give the guarantee that was asked for. */
  WEAK_LEVEL: { readonly level: string; readonly required: string };
  /** An audit entry that could not be written; the operation fails with it. */
  AUDIT_FAILED: { readonly reason: string };
  /** The file with the roots cannot be read as it is written. */
  STORE_DAMAGED: {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly reason: string;
  };
  /** The file with the roots was written by a later version. */
  STORE_TOO_NEW: { readonly file: string; readonly version: number; readonly known: number };
  /** A name, path or URI that no stored root has. */
  UNKNOWN_ROOT: { readonly root: string; readonly known: readonly string[] };
  /** A text that cannot be the name of a root. */
  INVALID_NAME: { readonly name: string; readonly reason: string };
  /** A place that should not be shown to servers, such as a home directory or keys. */
  UNSAFE_ROOT: { readonly path: string; readonly reason: string; readonly remedy: string };
  /** A place of Rootward's own that another user of this machine owns, can write to, or can replace. */
  SHARED_PLACE: {
    readonly path: string;
    /** The directory on the way that is not this user's alone. */
    readonly at: string;
    /** The user id of its owner, if that is another user. */
    readonly owner?: number;
  };
  /** A deny rule that cannot be removed here. */
  UNKNOWN_RULE: { readonly glob: string; readonly reason: string; readonly known: readonly string[] };
  /** A change that cannot be undone. */
  CANNOT_UNDO: { readonly reason: string };
  /** A client that cannot expose roots, or a server that cannot be told apart from others. */
  CANNOT_EXPOSE: { readonly server: string; readonly reason: string };
  /** A program that cannot be confined, and therefore does not run. */
  CANNOT_CONFINE: { readonly path: string; readonly reason: string };
  /** An address that cannot be listened on, or not with these options. */
  CANNOT_LISTEN: { readonly address: string; readonly reason: string };
  /** The session store is down or does not answer in time. */
  SESSIONS_UNAVAILABLE: { readonly reason: string };
  /** A request state that this server did not issue, or that has expired. */
  INVALID_REQUEST_STATE: { readonly reason: string };
}

/** The attempted operation: its verb, and the path as asked. */
export interface Attempt {
  readonly verb: string;
  readonly path: string;
  /** Replaces the hint of the code, where the caller knows a better next step. */
  readonly remedy?: string;
}

export type ErrorCode = keyof ErrorData;

interface Wording<Data> {
  readonly message: (data: Data) => string;
  readonly hint: (data: Data) => string;
  /** How a command ends with this error; `failed` by default. */
  readonly exit?: ExitClass;
}

/** `usage`: the person has to correct the command line or the settings. `refused`: the answer is no. */
export type ExitClass = 'usage' | 'refused' | 'failed';

/** The wording of a code that carries an `Attempt` and nothing else. */
function attempt(state: string, hint: string): Wording<Attempt> {
  return {
    message: ({ verb, path }) => `Cannot ${verb} ${quote(path)}: ${state}`,
    hint: ({ remedy = hint }) => remedy,
  };
}

const wordings: { readonly [Code in ErrorCode]: Wording<ErrorData[Code]> } = {
  INVALID_URI: {
    message: ({ uri, reason }) => `Cannot read ${quote(uri)} as a file URI: ${reason}`,
    hint: () => 'Send an absolute file URI such as file:///home/me/app or file:///C:/Users/me/app',
    exit: 'usage',
  },
  INVALID_PATH: {
    message: ({ path, reason }) => `Cannot use ${quote(path)} as a path: ${reason}`,
    hint: () => 'Give an absolute path, a file URI, or a path relative to the project',
    exit: 'usage',
  },
  INVALID_GLOB: {
    message: ({ pattern, reason }) => `Cannot use ${quote(pattern)} as a glob: ${reason}`,
    hint: () => 'Write a pattern relative to the root, such as src/**/*.ts',
    exit: 'usage',
  },
  INVALID_POLICY: {
    message: ({ where, reason }) => `Cannot use the policy: ${where}: ${reason}`,
    hint: () => 'Correct the policy there and start again; no rule is ever ignored',
    exit: 'usage',
  },
  OUTSIDE_ROOTS: {
    message: ({ path }) => `Cannot reach ${quote(path)}: it is outside the roots`,
    hint: ({ roots }) =>
      roots.length === 0 ? 'There are no roots' : `Roots are: ${roots.map(escapeText).join(', ')}`,
  },
  NOT_FOUND: attempt('it does not exist', 'Check the spelling, or list the directory above it'),
  NOT_LISTED: attempt(
    'a name in it is not listed by its directory',
    'List the directory, and use a name from that listing',
  ),
  NOT_A_DIRECTORY: attempt(
    'it is not a directory',
    'Name the file without a slash at the end, or a directory',
  ),
  IS_A_DIRECTORY: attempt('it is a directory', 'Name a file in it, or list it'),
  ALREADY_EXISTS: {
    ...attempt('it already exists', 'Choose another name, or replace it explicitly'),
    exit: 'refused',
  },
  NOT_EMPTY: attempt('it is not empty', 'Remove what is in it first, or the whole tree'),
  NO_PERMISSION: attempt(
    'the system does not permit it',
    'Check its owner and mode, and whether it is read-only',
  ),
  TOO_MANY_LINKS: attempt('too many symbolic links', 'Name the file that the links lead to'),
  LINK_NOT_FOLLOWED: {
    message: ({ verb, path, reason }) => `Cannot ${verb} ${quote(path)}: ${reason}`,
    hint: () => 'Use the path of the file or directory that the link leads to',
  },
  NAME_TOO_LONG: attempt('it is too long or too deep', 'Use shorter names, or begin further down'),
  NO_SPACE: attempt('there is no space left', 'Free some space and try again'),
  OTHER_DEVICE: attempt(
    'source and target are on different file systems',
    'Copy it, then remove the original',
  ),
  BUSY: attempt('it is changing or in use', 'Try again'),
  NOT_POSSIBLE: attempt('that is not possible there', 'Check that the target is not inside the source'),
  TREE_TOO_LARGE: attempt('not everything in it can be checked', 'Work on a part of it'),
  IS_ROOT: attempt('it is the root itself', 'Name something beneath it'),
  HOLDS_ROOT: attempt(
    'it is another root, or holds one',
    'Work on the files in that root; to move or remove the root itself, take it off the list of roots first',
  ),
  OTHER_MOUNT: attempt('it is on another mount', 'Make the mount a root of its own, or allow mounts'),
  HARD_LINK: attempt('it has more than one name', 'Copy it, or allow hard links'),
  SPECIAL_FILE: {
    message: ({ verb, path, kind }) => `Cannot ${verb} ${quote(path)}: it is a ${kind}`,
    hint: () => 'Only regular files and directories can be used',
  },
  TOO_LARGE: {
    message: ({ verb, path, limit }) => `Cannot ${verb} ${quote(path)}: it is larger than ${limit} bytes`,
    hint: ({ remedy = 'Read a part of it: head, tail, or a range of bytes' }) => remedy,
  },
  TOO_MUCH_WORK: attempt('it takes too long', 'Ask for less at once'),
  INVALID_MODE: {
    message: ({ path, mode }) => `Cannot give ${quote(path)} the mode ${mode}: it is not between 0 and 777`,
    hint: () => 'Give permission bits only, such as 0o644',
  },
  INVALID_RANGE: {
    message: ({ verb, path, reason }) => `Cannot ${verb} ${quote(path)}: ${reason}`,
    hint: () => 'Give whole numbers, 0 or greater, and either head or tail',
  },
  NOT_TEXT: attempt('it is not text', 'Read it as bytes instead: read_media_file'),
  NOT_UTF8: attempt(
    'it is text, but not in UTF-8',
    'Convert it to UTF-8 first, or replace the whole file; nothing was changed',
  ),
  RESULT_TOO_LARGE: {
    message: ({ tool, limit }) => `Cannot answer ${tool}: the result is larger than ${limit} bytes`,
    hint: () => 'Ask for less: a directory further down, a narrower pattern, a part of the file',
  },
  EDIT_NOT_FOUND: {
    message: ({ path, text }) => `Cannot edit ${quote(path)}: it does not contain ${quote(text)}`,
    hint: () => 'Read the file and copy the text exactly; nothing was changed',
  },
  INVALID_PATTERN: {
    message: ({ pattern, reason }) => `Cannot search for ${quote(pattern)}: ${reason}`,
    hint: () => 'Write a regular expression without look-around and backreferences, or ask for literal text',
  },
  SEARCH_FAILED: {
    message: ({ reason }) => `Cannot finish the search: ${reason}`,
    hint: () => 'Try again; if that fails too, search in a subdirectory or for literal text',
  },
  SYSTEM: {
    message: ({ verb, path, errno }) => `Cannot ${verb} ${quote(path)}: the system says ${errno}`,
    hint: () => 'Look up the code in the documentation of your system',
  },
  DENIED: {
    message: ({ operation, path, reason }) => `Cannot ${operation} ${quote(path)}: ${reason}`,
    hint: ({ root, rule }) =>
      rule === 'fixed'
        ? `No setting allows this; run a Rootward that is installed outside of root ${quote(root)}`
        : `Rule ${rule} of root ${quote(root)} decides this; the operator of the server can change it`,
  },
  NOT_ASKED: {
    message: ({ operation, path, reason }) => `Cannot ${operation} ${quote(path)}: ${reason}`,
    hint: ({ operation, root, remedy }) =>
      `Open the page with \`rootward web\` and try again, or ${remedy ?? `allow ${operation} for root ${quote(root)} in the settings`}`,
  },
  ROOT_MISSING: {
    message: ({ root, path }) =>
      `Cannot reach ${path === undefined ? 'any file' : quote(path)}: the folder of root ${quote(root)} is gone`,
    hint: ({ remedy = 'Put the folder back, or have another one granted; list_roots shows what is there' }) =>
      remedy,
  },
  NO_PROJECT: {
    message: ({ path }) => `Cannot reach ${quote(path)}: no folder is known that it could start from`,
    hint: ({ roots }) =>
      roots.length === 0
        ? 'Open a folder in the client, or start the server with --project DIR'
        : `Give an absolute path; roots are: ${roots.map(escapeText).join(', ')}`,
  },
  PROJECT_NOT_FOUND: {
    message: ({ reason = 'nothing names one', text }) => text ?? `Cannot determine the project: ${reason}`,
    hint: ({ remedy }) => remedy,
    exit: 'refused',
  },
  AMBIGUOUS_PROJECT: {
    message: ({ candidates }) => `Cannot determine the project: ${candidates.length} are open`,
    hint: ({ candidates }) => `Name one of them: ${candidates.map(escapeText).join(', ')}`,
  },
  NO_ROOTS: {
    message: ({ why }) => `Cannot reach any file: ${why}`,
    hint: ({ remedy }) => remedy,
  },
  CANNOT_SWITCH: {
    message: ({ project, reason }) =>
      `Cannot switch to ${project === '' ? 'another project' : quote(project)}: ${reason}`,
    hint: ({ known, remedy }) =>
      remedy ??
      (known.length === 0
        ? 'The operator of the server can name directories, or the client can list roots'
        : `Known projects are: ${known.map(escapeText).join(', ')}`),
  },
  INVALID_MARKER: {
    message: ({ marker, reason }) => `Cannot use ${quote(marker)} as a marker: ${reason}`,
    hint: () => 'Give the name of one file or directory, such as .blue',
    exit: 'usage',
  },
  TOO_BROAD: {
    message: ({ verb, path, reason }) => `Cannot ${verb} ${quote(path)}: ${reason}`,
    hint: () => 'Begin in a directory that holds your projects',
  },
  INVALID_CONFIG: {
    message: ({ where, reason }) => `Cannot use the settings: ${where}: ${reason}`,
    hint: () => 'Correct them there and start again; no setting is ever ignored',
    exit: 'usage',
  },
  INVALID_PROFILE: {
    message: ({ where, reason }) => `Cannot use the client profiles: ${where}: ${reason}`,
    hint: () => 'Correct the row and start again; no row is ever ignored',
    exit: 'usage',
  },
  INTERNAL: {
    message: ({ id }) => `Cannot finish this: an internal error occurred (${id})`,
    hint: () => 'Tell the operator of the server; its log has the details under this id',
  },
  CLOSED: {
    message: ({ root }) => `Cannot use root ${quote(root)}: it is closed`,
    hint: () => 'Ask for the roots again; they have changed',
  },
  WEAK_LEVEL: {
    message: ({ level, required }) => `Cannot guarantee level "${required}": this system offers "${level}"`,
    hint: () => 'Mount /proc on Linux, or accept the weaker level explicitly with requireLevel',
  },
  AUDIT_FAILED: {
    message: ({ reason }) => `Cannot record the decision: ${reason}`,
    hint: () => 'Free some space, or check the directory of the log and its owner and mode; then try again',
  },
  STORE_DAMAGED: {
    message: ({ file, line, column, reason }) =>
      `Cannot use ${quote(file)}: line ${line}, column ${column}: ${reason}`,
    hint: () => 'Correct the file there; until then it is left as it is',
  },
  STORE_TOO_NEW: {
    message: ({ file, version, known }) =>
      `Cannot use ${quote(file)}: it has version ${version}, and ${known} is the latest known here`,
    hint: () => 'Update Rootward; the file is left as it is',
  },
  UNKNOWN_ROOT: {
    message: ({ root }) => `Cannot find root ${quote(root)}: it is not stored`,
    hint: ({ known }) =>
      known.length === 0
        ? 'No root is stored; add one'
        : `Stored roots are: ${known.slice(0, 20).map(escapeText).join(', ')}`,
    exit: 'refused',
  },
  INVALID_NAME: {
    message: ({ name, reason }) => `Cannot use ${quote(name)} as a name: ${reason}`,
    hint: () => 'Choose a short name in plain characters that no other root has',
    exit: 'usage',
  },
  UNSAFE_ROOT: {
    message: ({ path, reason }) => `Cannot keep ${quote(path)} as a root: ${reason}`,
    hint: ({ remedy }) => `${remedy}. To keep it anyway, use force`,
    exit: 'refused',
  },
  SHARED_PLACE: {
    message: ({ path, at, owner }) =>
      owner === undefined
        ? `Cannot use ${quote(path)}: others can write to ${quote(at)}`
        : `Cannot use ${quote(path)}: ${quote(at)} belongs to another user (${owner})`,
    hint: ({ at, owner }) => {
      const first =
        owner === undefined ? `Make it yours alone (chmod go-w ${quote(at)})` : 'Run this as that user';
      return `${first}, or choose a directory of your own; ROOTWARD_HOME sets it for everything that Rootward stores`;
    },
  },
  UNKNOWN_RULE: {
    message: ({ glob, reason }) => `Cannot allow ${quote(glob)}: ${reason}`,
    hint: ({ known }) =>
      known.length === 0
        ? 'No glob is denied here'
        : `Denied here: ${known.slice(0, 20).map(escapeText).join(', ')}`,
    exit: 'refused',
  },
  CANNOT_UNDO: {
    message: ({ reason }) => `Cannot undo the change: ${reason}`,
    hint: () => 'Make the opposite change instead',
    exit: 'refused',
  },
  CANNOT_EXPOSE: {
    message: ({ server, reason }) => `Cannot expose roots to ${quote(server)}: ${reason}`,
    hint: () => 'Call expose before the client connects, with the name and the command or URL of the server',
  },
  CANNOT_CONFINE: {
    message: ({ path, reason }) => `Cannot run a program in ${quote(path)}: ${reason}`,
    hint: () => 'Work with the other tools; the operator of the server can look into the cause',
  },
  CANNOT_LISTEN: {
    message: ({ address, reason }) => `Cannot listen on ${quote(address)}: ${reason}`,
    hint: () => 'Choose another address or port, or correct the options, and start again',
  },
  SESSIONS_UNAVAILABLE: {
    message: ({ reason }) => `Cannot reach the sessions: ${reason}`,
    hint: () => 'Try again shortly; nothing was done',
  },
  INVALID_REQUEST_STATE: {
    message: ({ reason }) => `Cannot use the request state: ${reason}`,
    hint: () => 'Call the tool again from the start',
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

  /**
   * Whether a caught value is a `RootwardError`, and of this code if one is given. Works across two copies of
   * the package.
   */
  static is<Code extends ErrorCode = ErrorCode>(error: unknown, code?: Code): error is RootwardError<Code> {
    if (!(error instanceof Error) || error.name !== 'RootwardError' || !('code' in error)) return false;
    return code === undefined || error.code === code;
  }

  /** The fields that may cross a wire. Leaves out the cause. */
  toJSON(): { code: Code; message: string; hint: string; data: ErrorData[Code] } {
    return { code: this.code, message: this.message, hint: this.hint, data: this.data };
  }
}

/** Every code, so that documents and tests can cover all of them. */
export const errorCodes: readonly ErrorCode[] = Object.keys(wordings) as ErrorCode[];

/** How a command ends with an error of this code. */
export function exitClassOf(code: ErrorCode): ExitClass {
  return wordings[code].exit ?? 'failed';
}
