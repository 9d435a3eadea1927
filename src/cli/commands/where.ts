import { buildCommand, type Command } from '@stricli/core';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { chainPresetNames } from '../../workspace/chain/chain-presets.ts';
import { markerFlag } from '../terminal/flags.ts';
import type { WhereFlags } from './run-where.ts';

/** `rootward where` */
export const whereCommand: Command<CliContext> = buildCommand<WhereFlags, string[], CliContext>({
  docs: {
    brief: 'Show which project a server would find here, from which source, and why',
    fullDescription: [
      'Asks every source in order and prints its answer.',
      '',
      'Examples:',
      '  rootward where',
      '  rootward where --client cursor-vscode --cwd /',
      '  rootward where --preset rfc-0020 --marker .blue',
      '  rootward where --policy',
      '  rootward where --map -- docker run -i -v /home/me/app:/work image',
      '',
      'Exit codes: 0 found, 1 not found or ambiguous, 2 wrong usage, 3 failed.',
    ].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'array',
      parameter: {
        brief: 'With --map: the command that starts the server',
        parse: String,
        placeholder: 'command',
      },
    },
    flags: {
      cwd: {
        kind: 'parsed',
        parse: String,
        optional: true,
        brief: 'Start here instead of the current directory',
        placeholder: 'dir',
      },
      project: {
        kind: 'parsed',
        parse: String,
        optional: true,
        brief: 'Pin a project, as a server would with --project',
        placeholder: 'dir',
      },
      client: {
        kind: 'parsed',
        parse: String,
        optional: true,
        brief: 'The name a client gives itself, such as claude-code',
        placeholder: 'name',
      },
      preset: {
        kind: 'enum',
        values: chainPresetNames,
        default: 'default',
        brief: 'The chain of sources to use',
      },
      marker: markerFlag,
      profiles: {
        kind: 'parsed',
        parse: String,
        optional: true,
        brief: 'A file with more client facts (JSON with comments)',
        placeholder: 'file',
      },
      policy: {
        kind: 'boolean',
        default: false,
        brief: 'Print which roots apply for every answer of a client',
      },
      map: {
        kind: 'boolean',
        default: false,
        brief: 'Print the names that a server has for directories, from the command that follows',
      },
      json: { kind: 'boolean', default: false, brief: 'Print the answer as JSON' },
    },
  },
  async loader() {
    const { runWhere } = await import('./run-where.ts');
    return runWhere;
  },
});
