import { isAbsolute, join, resolve } from 'node:path';
import { escapeText, quote } from '../../base/quote.ts';
import type { Operation } from '../../boundary/step/operation.ts';
import { isFileUri, toFileUri } from '../../path/file-uri.ts';
import { parseRoots } from '../../path/root.ts';
import type { PresetName } from '../../policy/rules/permission-presets.ts';
import { parsePolicy } from '../../policy/rules/policy.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { checkAccess, type PathCheck } from '../../server/settings/path-check.ts';
import { resolveWorkspace } from '../../workspace/chain/resolve-workspace.ts';
import { openWorkspace, type Workspace } from '../../workspace/workspace.ts';
import { exitCode } from '../terminal/exit-code.ts';
import { signalsHere } from '../terminal/here.ts';
import { createPaint, formatFields } from '../terminal/paint.ts';

export interface CheckFlags {
  readonly root?: readonly string[];
  readonly preset: PresetName;
  readonly allow?: readonly Operation[];
  readonly deny?: readonly string[];
  readonly json: boolean;
}

/** Prints whether the operation is allowed, where it would act, and which rule says so. */
export async function runCheck(
  this: CliContext,
  flags: CheckFlags,
  operation: Operation,
  path: string,
): Promise<void> {
  const { root, preset, allow, deny = [], json } = flags;
  const policy = parsePolicy({ preset, deny, ...(allow === undefined ? {} : { allow }) });
  const workspace = await openRoots(this, root);
  try {
    const answer = await checkAccess({ workspace, policy }, { operation, path: fromHere(this, path) });
    const text = json
      ? `${JSON.stringify({ operation, path, ...answer })}\n`
      : format(this, { operation, path, answer });
    this.process.stdout.write(text);
    if (!answer.allowed) this.process.exitCode = exitCode.refused;
  } finally {
    await workspace.close();
  }
}

/** Opens the roots named on the command line, or those of the project found here. */
async function openRoots(context: CliContext, paths: readonly string[] | undefined): Promise<Workspace> {
  if (paths !== undefined) return openNamed(context, paths);
  const resolution = await resolveWorkspace(signalsHere(context));
  if (resolution.status !== 'resolved') throw resolution.error;
  return openWorkspace(resolution.roots);
}

async function openNamed({ cwd }: CliContext, paths: readonly string[]): Promise<Workspace> {
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
 * Resolves a leading `..` against the real parents of the current directory. Any other `..` stays, because only
 * the boundary knows where it leads.
 */
function fromHere({ cwd }: CliContext, path: string): string {
  if (isFileUri(path) || isAbsolute(path) || path === '') return path;
  const [, up = '', rest = ''] = /^((?:\.{1,2}(?:[\\/]|$))*)(.*)$/s.exec(path) ?? [];
  return join(cwd, up, '/') + rest;
}

function format(
  context: CliContext,
  { operation, path, answer }: { operation: Operation; path: string; answer: PathCheck },
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
  const known = fields.flatMap(([label, value]) =>
    value === undefined ? [] : [[label, escapeText(value)] as const],
  );
  return `${verdict}  ${operation} ${quote(path)}\n${formatFields(known, paint)}`;
}
