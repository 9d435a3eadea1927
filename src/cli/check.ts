import { isAbsolute, join, resolve } from 'node:path';
import { buildCommand, type Command } from '@stricli/core';
import { type Operation, operations } from '../boundary/operation.ts';
import { isFileUri, toFileUri } from '../path/file-uri.ts';
import { parseRoots } from '../path/root.ts';
import { parsePolicy } from '../policy/policy.ts';
import { type PresetName, presets } from '../policy/presets.ts';
import { quote } from '../quote.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { type CheckAnswer, checkPath } from './check-path.ts';
import type { CliContext } from './command-context.ts';
import { exitCode } from './exit-code.ts';
import { createPaint, formatFields } from './paint.ts';

interface CheckFlags {
  readonly root: readonly string[];
  readonly preset: PresetName;
  readonly allow?: readonly Operation[];
  readonly deny?: readonly string[];
  readonly json: boolean;
}

const presetNames = Object.keys(presets) as PresetName[];

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
        default: ['.'],
        brief: 'A directory or file to be the root; may be repeated',
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
  async func({ root, preset, allow, deny = [], json }, operation, path) {
    const policy = parsePolicy({ preset, deny, ...(allow === undefined ? {} : { allow }) });
    const workspace = await openRoots(this, root);
    try {
      const answer = await checkPath(workspace, policy, { operation, path: fromHere(this, path) });
      const text = json
        ? `${JSON.stringify({ operation, path, ...answer })}\n`
        : format(this, { operation, path, answer });
      this.process.stdout.write(text);
      if (!answer.allowed) this.process.exitCode = exitCode.refused;
    } finally {
      await workspace.close();
    }
  },
});

function parseOperation(text: string): Operation {
  const operation = operations.find((name) => name === text);
  if (operation === undefined)
    throw new Error(`${quote(text)} is no operation; there are ${operations.join(', ')}`);
  return operation;
}

async function openRoots({ cwd }: CliContext, paths: readonly string[]): Promise<Workspace> {
  const { roots, issues } = parseRoots(
    paths.map((path) => ({ uri: toFileUri(resolve(cwd, path)) })),
    { whole: true },
  );
  const workspace = await openWorkspace(roots);
  const issue = [...issues, ...workspace.issues].find(({ effect }) => effect === 'dropped');
  if (issue === undefined) return workspace;
  await workspace.close();
  throw new Error(`${issue.message}\n${issue.hint}`);
}

/**
 * A person means the directory they are in, which is a real one: `..` in front leads to its real parents.
 * Any other `..` stays, because only the boundary knows where it leads.
 */
function fromHere({ cwd }: CliContext, path: string): string {
  if (isFileUri(path) || isAbsolute(path) || path === '') return path;
  const [, up = '', rest = ''] = /^((?:\.{1,2}(?:[\\/]|$))*)(.*)$/s.exec(path) ?? [];
  return join(cwd, up, '/') + rest;
}

function format(
  context: CliContext,
  { operation, path, answer }: { operation: Operation; path: string; answer: CheckAnswer },
): string {
  const paint = createPaint(context);
  const verdict = answer.allowed ? paint('green', 'allowed') : paint('red', 'refused');
  const { root, place, kind, rule, reason, hint } = answer;
  const fields: (readonly [string, string | undefined])[] = [
    ['root', root],
    ['place', place === undefined ? undefined : `${place} (${kind ?? 'not there yet'})`],
    ['rule', rule],
    ['because', reason],
    ['hint', hint],
  ];
  const known = fields.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]));
  return `${verdict}  ${operation} ${quote(path)}\n${formatFields(known, paint)}`;
}
