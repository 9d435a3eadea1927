import { buildCommand, type Command } from '@stricli/core';
import { mergeModes } from '../policy/merge-outcome.ts';
import type { CliContext } from './command-context.ts';
import { parseOperation } from './parse-operation.ts';
import { parseWorkers } from './parse-workers.ts';
import type { ServeFlags } from './serve-settings.ts';

const text = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, optional: true, brief, placeholder }) as const;

const texts = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, variadic: true, optional: true, brief, placeholder }) as const;

const yes = (brief: string) => ({ kind: 'boolean', optional: true, withNegated: false, brief }) as const;

/** `rootward serve ~/code/app` */
export const serveCommand: Command<CliContext> = buildCommand<ServeFlags, string[], CliContext>({
  docs: {
    brief: 'Serve the files of a project to an MCP client',
    fullDescription: [
      'Speaks MCP on stdin and stdout, or over HTTP with --http. Directories are what may be reached at most;',
      'without any it is what `rootward roots` keeps, with its permissions, and what the client lists as roots,',
      'else the project that is found. Elsewhere reading, listing and writing are allowed, removing and running',
      'programs only with --allow.',
      '',
      'What is kept is followed while the server runs. Over HTTP that is done only with --store.',
      '',
      'Each flag has a twin in the environment: --read-only is ROOTWARD_READ_ONLY=1, directories are',
      'ROOTWARD_DIRECTORIES. A flag goes before a variable, a variable before the file of --config.',
      '',
      'Examples:',
      '  rootward serve',
      '  rootward serve ~/code/app ~/code/docs --read-only',
      '  rootward serve ~/code/app --allow remove --deny "*.sqlite"',
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
        brief: 'Who has a say in the roots; union, over HTTP intersect',
      },
      readOnly: yes('Allow reading and listing, and nothing else'),
      allow: {
        kind: 'parsed',
        parse: parseOperation,
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
        ...text('Listen here instead of stdio; on 127.0.0.1 and a free port if nothing follows', 'host:port'),
        inferEmpty: true,
      },
      host: texts('Another name by which the endpoint may be called; may be repeated', 'host:port'),
      origin: texts('A page that may call the endpoint; may be repeated', 'origin'),
      tokenFile: text('Read the bearer token from this file; ROOTWARD_TOKEN works too', 'file'),
      sessions: text('Keep sessions there, for several nodes: redis://host:6379', 'address'),
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
    },
  },
  async loader() {
    const { runServe } = await import('./run-serve.ts');
    return runServe;
  },
});
