import { buildCommand, type Command, type FlagParametersForType } from '@stricli/core';
import { mergeModes } from '../../policy/merge.ts';
import { chainPresetNames } from '../../workspace/chain/chain-presets.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import {
  numberFault,
  type OptionKinds,
  type ServeFlags,
  type ServeOption,
  serveOptionList,
  variableFault,
} from '../../serve/settings/serve-options.ts';
import { parseOperation } from '../terminal/flags.ts';

type Flags = FlagParametersForType<ServeFlags, CliContext>;

/** The flags of `rootward serve`, as the command line reads them. */
export function createServeFlags(): Flags {
  const flags = serveOptionList.map(([name, option]) => {
    const { kind, brief, placeholder } = option;
    return [name, { ...shapes[kind](option), optional: true, brief, ...(placeholder && { placeholder }) }];
  });
  return Object.fromEntries(flags) as Flags;
}

const text = { kind: 'parsed', parse: String };
const texts = { ...text, variadic: true };

const shapes: { readonly [Kind in keyof OptionKinds]: (option: ServeOption) => object } = {
  text: () => text,
  path: () => text,
  file: () => text,
  address: () => ({ ...text, inferEmpty: true }),
  texts: () => texts,
  paths: () => texts,
  globs: () => texts,
  names: () => ({ ...text, variadic: ',', parse: (said: string) => said.trim() }),
  variables: () => ({ ...texts, parse: parseVariable }),
  switch: ({ negatable = false }) => ({ kind: 'boolean', withNegated: negatable }),
  number: ({ most = Number.MAX_SAFE_INTEGER }) => ({
    ...text,
    parse: (value: string) => parseNumber(value, most),
  }),
  merge: () => ({ kind: 'enum', values: mergeModes }),
  preset: () => ({ kind: 'enum', values: chainPresetNames }),
  operations: () => ({ ...text, variadic: ',', parse: (said: string) => parseOperation(said.trim()) }),
};

function parseVariable(value: string): string {
  const fault = variableFault(value);
  if (fault !== undefined) throw new Error(fault);
  return value;
}

function parseNumber(value: string, most: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  const fault = numberFault(number, most);
  if (fault !== undefined) throw new Error(fault);
  return number;
}

/** `rootward serve ~/code/app` */
export const serveCommand: Command<CliContext> = inOneLine(
  buildCommand<ServeFlags, string[], CliContext>({
    docs: {
      brief: 'Serve the files of a project to an MCP client',
      customUsage: ['[DIR...]', '--read-only DIR', '--http [HOST:PORT] DIR'],
      fullDescription: [
        'Speaks MCP on stdin and stdout, or over HTTP with --http. The given directories can be reached. On stdio',
        'the roots that the client lists are added, because the same person runs both. With --merge intersect, the',
        'default over HTTP, the directories are a limit. Without directories the server uses the roots stored by',
        '`rootward roots` with their permissions, plus those the client lists, or else the detected project. By',
        'default reading, listing and writing are allowed; removing and running programs need --allow.',
        '',
        'With --allow execute there is a shell tool, confined to the root it runs in, without network and with an',
        'empty environment unless --shell-network, --shell-env and --shell-read say otherwise.',
        '',
        'The server follows changes to the stored roots; over HTTP only with --store. A root that is denied to this',
        'server, or missing in its list, is refused even if a client lists it. A root that is removed from the store',
        'is up to the client again. If the store is empty at the start, the detected project is used. Rootward itself',
        '(its roots, permissions and logs) is never reachable.',
        '',
        'Each flag has an environment variable: --read-only is ROOTWARD_READ_ONLY=1, --http without an address',
        'is ROOTWARD_HTTP=1, directories are ROOTWARD_DIRECTORIES. A flag wins over a variable, and a variable',
        'over the file of --config.',
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
      flags: createServeFlags(),
    },
    async loader() {
      const { runServe } = await import('../../serve/run-serve.ts');
      return runServe;
    },
  }),
);

/** Hides the flags in the list of all commands; the help of `serve` shows them. */
function inOneLine(command: Command<CliContext>): Command<CliContext> {
  return { ...command, formatUsageLine: ({ prefix }) => `${prefix.join(' ')} [DIR...] [flags]` };
}
