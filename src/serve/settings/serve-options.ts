import type { Operation } from '../../boundary/step/operation.ts';
import type { MergeMode } from '../../policy/merge.ts';
import type { ChainPresetName } from '../../workspace/chain/chain-presets.ts';

/** The kinds of values. A text is parsed alike from a flag, a variable and a file. */
export interface OptionKinds {
  readonly text: string;
  /** Relative to the current directory, or to the file that names it; `~` is the home directory. */
  readonly path: string;
  /** A path to a file of the server itself, which no client can reach. */
  readonly file: string;
  /** An address to listen on; in the environment also a word for yes or no. */
  readonly address: string;
  readonly texts: readonly string[];
  readonly paths: readonly string[];
  readonly globs: readonly string[];
  /** Names or globs of names, separated by commas. */
  readonly names: readonly string[];
  /** Names of environment variables. */
  readonly variables: readonly string[];
  readonly switch: boolean;
  /** A whole number from 1 to `most`. */
  readonly number: number;
  readonly merge: MergeMode;
  readonly preset: ChainPresetName;
  readonly operations: readonly Operation[];
}

/** One option of `rootward serve`, whatever its source. */
export interface ServeOption {
  readonly kind: keyof OptionKinds;
  /** Its key in a settings file; by default its name. `false`: a file cannot set it, or uses other words. */
  readonly key?: string | false;
  readonly brief: string;
  /** The placeholder of its value in the usage line. */
  readonly placeholder?: string;
  /** The upper limit of a number. */
  readonly most?: number;
  /** Whether it can be switched off: `--no-store`, `ROOTWARD_NO_STORE`. */
  readonly negatable?: boolean;
  /** Whether it applies to HTTP only. */
  readonly overHttp?: boolean;
}

/**
 * Every option of `rootward serve`, beside directories and the policy. `logFile` is `--log-file`,
 * `ROOTWARD_LOG_FILE`, and `logFile` in a file. A new option is read everywhere once it has a row here.
 */
export const serveOptions = {
  project: {
    kind: 'path',
    brief: 'The project, regardless of the client',
    placeholder: 'directory',
  },
  merge: {
    kind: 'merge',
    brief: 'How client roots and yours combine; union, over HTTP intersect (others need loopback)',
  },
  preset: {
    kind: 'preset',
    brief: 'Which sources tell the project, in which order and words: adr-009 or rfc-0020',
  },
  readOnly: { kind: 'switch', key: false, brief: 'Allow only reading and listing' },
  allow: {
    kind: 'operations',
    key: false,
    brief: 'Additional operations to allow, such as remove,execute',
    placeholder: 'operations',
  },
  deny: {
    kind: 'globs',
    key: false,
    brief: 'A glob to deny in addition to secrets; may be repeated',
    placeholder: 'glob',
  },
  oneFilesystem: {
    kind: 'switch',
    brief: 'Refuse file systems mounted within a directory',
  },
  marker: {
    kind: 'texts',
    key: 'markers',
    brief: 'A file name that marks a project of yours; may be repeated',
    placeholder: 'name',
  },
  tools: {
    kind: 'names',
    brief: 'Offer only these tools, such as read_*,search_text',
    placeholder: 'globs',
  },
  noTools: {
    kind: 'names',
    brief: 'Do not offer these tools',
    placeholder: 'globs',
  },
  maxAnswer: {
    kind: 'number',
    most: 10_000_000,
    brief: 'Characters of an answer; default: what the client is known to take, else 100000',
    placeholder: 'characters',
  },
  compat: {
    kind: 'switch',
    brief: 'Answer as the reference file server does: with structured content, whatever the size',
  },
  config: { kind: 'file', key: false, brief: 'A settings file: JSON with comments', placeholder: 'file' },
  logFile: { kind: 'file', brief: 'Append log entries to this file', placeholder: 'file' },
  debug: {
    kind: 'switch',
    brief: 'Also log every step, to --log-file or to a file named on stderr',
  },
  hideCommands: {
    kind: 'switch',
    brief: 'Keep only a hash of command lines in the audit log',
  },
  http: {
    kind: 'address',
    brief: 'Listen here instead of stdio: HOST:PORT or unix:FILE; 127.0.0.1 by default',
    placeholder: 'address',
  },
  host: {
    kind: 'texts',
    overHttp: true,
    key: 'hosts',
    brief: 'Another host name of the endpoint; may be repeated',
    placeholder: 'host:port',
  },
  origin: {
    kind: 'texts',
    overHttp: true,
    key: 'origins',
    brief: 'Origin of a web page that may call, such as https://app.example; may be repeated',
    placeholder: 'origin',
  },
  tokenFile: {
    kind: 'file',
    overHttp: true,
    brief: 'Read the bearer token from this file; ROOTWARD_TOKEN works too',
    placeholder: 'file',
  },
  sessions: {
    kind: 'text',
    overHttp: true,
    brief: 'Store sessions there, for several nodes: redis://host:6379',
    placeholder: 'address',
  },
  sessionsPrefix: {
    kind: 'text',
    overHttp: true,
    brief: 'Prefix of names there, one per deployment (default rw.)',
    placeholder: 'prefix',
  },
  sealingKeyFile: {
    kind: 'file',
    overHttp: true,
    brief: 'Read the key that nodes share from this file; ROOTWARD_SEALING_KEY too',
    placeholder: 'file',
  },
  workers: {
    kind: 'number',
    overHttp: true,
    most: 999,
    brief: 'Number of processes; needs --sessions',
    placeholder: 'count',
  },
  store: {
    kind: 'switch',
    negatable: true,
    brief: 'Use the roots of `rootward roots`; the default without directories, except over HTTP',
  },
  server: {
    kind: 'text',
    brief: 'The name of this server in stored permissions; default rootward',
    placeholder: 'name',
  },
  allowUnconfinedShell: {
    kind: 'switch',
    brief: 'Offer the shell tool even if it cannot be confined',
  },
  shellNetwork: {
    kind: 'switch',
    key: 'shell.network',
    brief: 'Let commands of the shell tool use the network on request',
  },
  shellEnv: {
    kind: 'variables',
    key: 'shell.env',
    brief: 'An environment variable to pass to commands; may be repeated',
    placeholder: 'name',
  },
  shellRead: {
    kind: 'paths',
    key: 'shell.read',
    brief: 'A directory that commands can read, such as a toolchain; may be repeated',
    placeholder: 'directory',
  },
  shellTimeout: {
    kind: 'number',
    key: 'shell.timeout',
    most: 86_400,
    brief: 'Time limit of a command in seconds; default 600',
    placeholder: 'seconds',
  },
  shellMemory: {
    kind: 'number',
    key: 'shell.memory',
    most: 16_777_216,
    brief: 'Memory limit of a command in MiB; default 4096',
    placeholder: 'mebibytes',
  },
  shellProcesses: {
    kind: 'number',
    key: 'shell.processes',
    most: 1_000_000,
    brief: 'Maximum processes of a command; default 512',
    placeholder: 'count',
  },
  shellOutput: {
    kind: 'number',
    key: 'shell.output',
    most: 1_024,
    brief: 'Output limit of a command in MiB; default 64',
    placeholder: 'mebibytes',
  },
  shellTmp: {
    kind: 'number',
    key: 'shell.tmp',
    most: 1_048_576,
    brief: 'Size of its /tmp in MiB; default 512',
    placeholder: 'mebibytes',
  },
  shellConcurrent: {
    kind: 'number',
    key: 'shell.concurrent',
    most: 1_000,
    brief: 'Maximum concurrent commands; others wait; default 4',
    placeholder: 'count',
  },
} as const;

/** The given options, from flags, variables or a file. Options that were not given are absent. */
export type ServeFlags = {
  readonly [Name in keyof typeof serveOptions]?: OptionKinds[(typeof serveOptions)[Name]['kind']];
};

/** The table as a list. */
export const serveOptionList: readonly (readonly [name: string, option: ServeOption])[] =
  Object.entries<ServeOption>(serveOptions);

/** The flag of an option: `logFile` is `--log-file`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The variable of an option: `logFile` is `ROOTWARD_LOG_FILE`. */
export function variableOf(name: string): string {
  return `ROOTWARD_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** The problem with a number; `undefined` if there is none. */
export function numberFault(value: unknown, most: number): string | undefined {
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;
  return fits ? undefined : `it is not a whole number from 1 to ${most}`;
}

/** The problem with the name of an environment variable; `undefined` if there is none. */
export function variableFault(name: string): string | undefined {
  return /^[A-Za-z_]\w*$/.test(name) ? undefined : 'it is not the name of an environment variable';
}
