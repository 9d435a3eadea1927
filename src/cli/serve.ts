import { buildCommand, type Command } from '@stricli/core';
import { type ShellNumber, shellNumberFault, variableFault } from '../config/serve-config-shell.ts';
import { mergeModes } from '../policy/merge-outcome.ts';
import type { CliContext } from './command-context.ts';
import { parseOperation } from './parse-operation.ts';
import { parseWorkers } from './parse-workers.ts';
import type { ServeFlags } from './serve-flags.ts';

const text = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, optional: true, brief, placeholder }) as const;

const texts = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, variadic: true, optional: true, brief, placeholder }) as const;

const yes = (brief: string) => ({ kind: 'boolean', optional: true, withNegated: false, brief }) as const;

const number = (name: ShellNumber, brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: parseNumber(name), optional: true, brief, placeholder }) as const;

const parseNumber = (name: ShellNumber) => (text: string) => {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  const fault = shellNumberFault(name, value);
  if (fault !== undefined) throw new Error(fault);
  return value;
};

const parseVariable = (text: string): string => {
  const fault = variableFault(text);
  if (fault !== undefined) throw new Error(fault);
  return text;
};

/** What command lines may use, beyond the least. */
const shellFlags = {
  shellNetwork: yes('Let command lines of the shell tool use the network if they ask'),
  shellEnv: {
    ...texts('An environment variable that they get; may be repeated', 'name'),
    parse: parseVariable,
  },
  shellRead: texts('A directory that they can read, such as a toolchain; may be repeated', 'directory'),
  shellTimeout: number('timeout', 'Seconds that one may take; 600', 'seconds'),
  shellMemory: number('memory', 'Mebibytes of memory that one may use; 4096', 'mebibytes'),
  shellProcesses: number('processes', 'Processes that one may have at once; 512', 'count'),
  shellOutput: number('output', 'Mebibytes that one may write out; 64', 'mebibytes'),
  shellTmp: number('tmp', 'Mebibytes that its /tmp holds; 512', 'mebibytes'),
} as const;

/** `rootward serve ~/code/app` */
export const serveCommand: Command<CliContext> = buildCommand<ServeFlags, string[], CliContext>({
  docs: {
    brief: 'Serve the files of a project to an MCP client',
    customUsage: ['[DIR...]', '--read-only DIR', '--http [HOST:PORT] DIR'],
    fullDescription: [
      'Speaks MCP on stdin and stdout, or over HTTP with --http. Directories may be reached, and on stdio what',
      'the client lists as roots on top: the same person runs both. With --merge intersect, as over HTTP, they',
      'are the most that any client gets. Without directories it is what `rootward roots` keeps, with its',
      'permissions, and what the client lists, else the project that is found. Elsewhere reading, listing and',
      'writing are allowed, removing and running programs only with --allow.',
      '',
      'With --allow execute there is a shell tool, confined to the root it runs in, without network and with an',
      'empty environment unless --shell-network, --shell-env and --shell-read say otherwise.',
      '',
      'What is kept is followed while the server runs. Over HTTP that is done only with --store. What a person',
      'denies this server there, or leaves out of its list, is refused also where a client lists it; about a root',
      'that is removed the store has nothing to say. With nothing kept at the start, the project that is found',
      'counts. What Rootward keeps for itself (roots, permissions, logs) no server reaches.',
      '',
      'Each flag has a twin in the environment: --read-only is ROOTWARD_READ_ONLY=1, --http without an address',
      'is ROOTWARD_HTTP=1, directories are ROOTWARD_DIRECTORIES. A flag goes before a variable, a variable before the file of --config.',
      '',
      'Examples:',
      '  rootward serve',
      '  rootward serve ~/code/app ~/code/docs --read-only',
      '  rootward serve ~/code/app --merge intersect',
      '  rootward serve ~/code/app --allow remove --deny "*.sqlite"',
      '  rootward serve ~/code/app --allow execute --shell-read ~/.cargo --shell-env CARGO_HOME',
      '  rootward serve ~/code/app --http 127.0.0.1:3917',
      '  rootward serve ~/code/app --http :3917 --sessions redis://10.0.0.5:6379 --workers 4',
      '',
      'Exit codes: 0 ended, 2 wrong usage or settings, 3 failed.',
    ].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'array',
      parameter: { brief: 'A directory that may be reached', parse: String, placeholder: 'directory' },
    },
    flags: {
      project: text('The project, whatever the client says', 'directory'),
      merge: {
        kind: 'enum',
        values: [...mergeModes],
        optional: true,
        brief: 'Who has a say in the roots; union, over HTTP intersect, where the others need loopback',
      },
      readOnly: yes('Allow reading and listing, and nothing else'),
      allow: {
        kind: 'parsed',
        parse: (text) => parseOperation(text.trim()),
        variadic: ',',
        optional: true,
        brief: 'Operations to allow on top, such as remove,execute',
        placeholder: 'operations',
      },
      deny: texts('A glob to deny on top of the secrets; may be repeated', 'glob'),
      marker: texts('A file name that marks a project of yours; may be repeated', 'name'),
      config: text('A file of settings: JSON with comments', 'file'),
      logFile: text('Append what happens to this file', 'file'),
      debug: yes('Log every step as well, to --log-file or to a file that is named on stderr'),
      http: {
        ...text('Listen here, not on stdio: HOST:PORT or unix:FILE; 127.0.0.1 if nothing follows', 'address'),
        inferEmpty: true,
      },
      host: texts('Another name by which the endpoint may be called; may be repeated', 'host:port'),
      origin: texts(
        'A page in a browser that may call, such as https://app.example; may be repeated',
        'origin',
      ),
      tokenFile: text('Read the bearer token from this file; ROOTWARD_TOKEN works too', 'file'),
      sessions: text('Keep sessions there, for several nodes: redis://host:6379', 'address'),
      sessionsPrefix: text('What names begin with there; rw. One for each deployment', 'prefix'),
      sealingKeyFile: text('Read the key that nodes share from this file; ROOTWARD_SEALING_KEY too', 'file'),
      workers: {
        kind: 'parsed',
        parse: parseWorkers,
        optional: true,
        brief: 'Serve with that many processes; needs --sessions',
        placeholder: 'count',
      },
      store: {
        kind: 'boolean',
        optional: true,
        brief: 'Take the roots of `rootward roots`; done without directories, and over HTTP only if asked',
      },
      server: text('The name by which those know this server; rootward', 'name'),
      allowUnconfinedShell: yes('Offer the shell tool even where it cannot be confined'),
      ...shellFlags,
    },
  },
  async loader() {
    const { runServe } = await import('./run-serve.ts');
    return runServe;
  },
});
