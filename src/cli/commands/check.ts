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
    brief: 'Tell whether an operation on a path is allowed, where it would act, and which rule says so',
    fullDescription: [
      'Goes the whole way that the operation would go, links included, asks every rule, and does nothing.',
      '',
      'Examples:',
      '  rootward check read src/main.ts',
      '  rootward check write ../other/notes.md --root . --root ../other',
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
        brief: 'A directory or file to be a root; may be repeated. By default what `rootward where` finds',
        placeholder: 'path',
      },
      preset: {
        kind: 'enum',
        values: presetNames,
        default: 'write-in-project',
        brief: 'Permissions to start from',
      },
      allow: {
        kind: 'parsed',
        parse: parseOperation,
        variadic: ',',
        optional: true,
        brief: 'Operations to allow on top, such as remove,execute',
        placeholder: 'operations',
      },
      deny: {
        kind: 'parsed',
        parse: String,
        variadic: true,
        optional: true,
        brief: 'A glob to deny on top of the secrets; may be repeated',
        placeholder: 'glob',
      },
      json: { kind: 'boolean', default: false, brief: 'Print the answer as JSON' },
    },
  },
  async loader() {
    const { runCheck } = await import('./run-check.ts');
    return runCheck;
  },
});
