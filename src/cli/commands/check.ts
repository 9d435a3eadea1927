import { buildCommand, type Command } from '@stricli/core';
import { type Operation, operations } from '../../boundary/step/operation.ts';
import type { PresetName } from '../../policy/rules/permission-presets.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { parseOperation } from '../terminal/flags.ts';
import type { CheckFlags } from './run-check.ts';

const presetNames = [
  'read-only',
  'write-in-project',
  'ask-before-write',
] as const satisfies readonly PresetName[];

/** `rootward check read src/main.ts` */
export const checkCommand: Command<CliContext> = buildCommand<CheckFlags, [Operation, string], CliContext>({
  docs: {
    brief: 'Show whether an operation on a path is allowed, where it would act, and which rule decides',
    fullDescription: [
      'Judges as `rootward serve` would, started here: with its settings, the roots that you keep and their',
      'permissions, links and all rules, without doing anything. The answer says which rules those were.',
      'With --as also as for that client: its variables and what it is known to do, and if it lists roots,',
      'the directory that it is opened in.',
      '',
      'Examples:',
      '  rootward check read src/main.ts',
      '  rootward check write ../other/notes.md --root . --root ../other',
      '  rootward check write notes.md --preset read-only --as claude-code',
      '  rootward check read .env --json',
      '',
      'Exit codes: 0 allowed, 1 refused, 2 wrong usage, 3 failed.',
    ].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        { brief: `One of ${operations.join(', ')}`, parse: parseOperation, placeholder: 'operation' },
        { brief: 'A path or file URI; a relative one starts here', parse: String, placeholder: 'path' },
      ],
    },
    flags: {
      root: {
        kind: 'parsed',
        parse: String,
        variadic: true,
        optional: true,
        brief: 'As if the server were started with this directory or file; may be repeated',
        placeholder: 'path',
      },
      preset: {
        kind: 'enum',
        values: presetNames,
        optional: true,
        brief: 'As if these were the permissions, in every root',
      },
      allow: {
        kind: 'parsed',
        parse: parseOperation,
        variadic: ',',
        optional: true,
        brief: 'Additional operations to allow, such as remove,execute',
        placeholder: 'operations',
      },
      deny: {
        kind: 'parsed',
        parse: String,
        variadic: true,
        optional: true,
        brief: 'A glob to deny in addition to secrets; may be repeated',
        placeholder: 'glob',
      },
      as: {
        kind: 'parsed',
        parse: String,
        optional: true,
        brief: 'As if this client were opened here and connected, such as claude-code',
        placeholder: 'client',
      },
      json: { kind: 'boolean', default: false, brief: 'Print the answer as JSON' },
    },
  },
  async loader() {
    const { runCheck } = await import('./run-check.ts');
    return runCheck;
  },
});
