import { buildCommand, type Command } from '@stricli/core';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { depthFlag, markerFlag, parseCount, searchStart } from '../terminal/flags.ts';
import type { FindFlags } from './run-find.ts';

/** `rootward find` */
export const findCommand: Command<CliContext> = buildCommand<FindFlags, [string?], CliContext>({
  docs: {
    brief: 'List the projects below a directory',
    fullDescription: [
      'Finds repositories, directories with a manifest, monorepo packages and editor workspaces. Leaves out what',
      '.gitignore leaves out, and directories such as node_modules. Links are not followed.',
      '',
      'Examples:',
      '  rootward find',
      '  rootward find ~/code --depth 3',
      '  rootward find --json | head -n 1',
      '',
      'With --json: one project per line, as soon as it is found.',
      'Exit codes: 0 found some, 1 found none, 2 wrong usage, 3 failed.',
    ].join('\n'),
  },
  parameters: {
    positional: searchStart,
    flags: {
      depth: depthFlag,
      marker: markerFlag,
      all: { kind: 'boolean', default: false, brief: 'Also search what .gitignore excludes' },
      seconds: {
        kind: 'parsed',
        parse: parseCount,
        default: '30',
        brief: 'Time limit in seconds',
        placeholder: 'n',
      },
      json: { kind: 'boolean', default: false, brief: 'Print one project a line as JSON' },
    },
  },
  async loader() {
    const { runFind } = await import('./run-find.ts');
    return runFind;
  },
});
