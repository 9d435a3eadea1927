import { isAbsolute, join, resolve } from 'node:path';
import { escapeText, quote } from '../../base/quote.ts';
import { lookAt } from '../../boundary/look/look-at.ts';
import type { Operation } from '../../boundary/step/operation.ts';
import { openRootStore } from '../../client/store/open-root-store.ts';
import { isFileUri, toFileUri } from '../../path/file-uri.ts';
import { createRootIssue } from '../../path/root-issue.ts';
import type { PresetName } from '../../policy/rules/permission-presets.ts';
import { parsePolicy } from '../../policy/rules/policy.ts';
import { createStoreOperator } from '../../serve/follow-store.ts';
import { checkAround } from '../../serve/kit/guess-project.ts';
import { attachmentOf } from '../../serve/prepare-kit.ts';
import { ownStoreFile } from '../../serve/settings/own-store-file.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { servePolicy } from '../../serve/settings/serve-policy.ts';
import { readServeSettings, type ServeSettings } from '../../serve/settings/serve-settings.ts';
import type { AttachOptions, OperatorWord } from '../../server/settings/attach-options.ts';
import type { PathCheck } from '../../server/settings/path-check.ts';
import { exitCode } from '../terminal/exit-code.ts';
import { createPaint, formatFields } from '../terminal/paint.ts';
import { clientHere } from './client-here.ts';

export interface CheckFlags {
  readonly root?: readonly string[];
  readonly preset?: PresetName;
  readonly allow?: readonly Operation[];
  readonly deny?: readonly string[];
  readonly as?: string;
  readonly json: boolean;
}

/** Prints whether `rootward serve` here would allow the operation, where it would act, and which rule says so. */
export async function runCheck(
  this: CliContext,
  flags: CheckFlags,
  operation: Operation,
  path: string,
): Promise<void> {
  const { options, under } = await readRules(this, flags);
  const { check, roots } = await checkAround(options, { operation, path: fromHere(this, path) });
  const judged = { ...under, roots: roots.map((root) => root.path) };
  const text = flags.json
    ? `${JSON.stringify({ operation, path, ...check, under: judged })}\n`
    : format(this, { operation, path, check, under });
  this.process.stdout.write(text);
  if (!check.allowed) this.process.exitCode = exitCode.refused;
}

/** The rules that a path is judged by, in words. */
interface RulesJudgedBy {
  readonly source: string;
  readonly permissions: string;
  readonly client: string;
}

interface ServeRules {
  readonly options: AttachOptions;
  readonly under: RulesJudgedBy;
}

/** Reads the settings that `rootward serve` would have here; flags make them hypothetical. */
async function readRules(context: CliContext, flags: CheckFlags): Promise<ServeRules> {
  const { root = [], preset, allow, deny, as } = flags;
  for (const path of root) await requireRoot(resolve(context.cwd, path));
  const policyFlags = { ...(allow && { allow }), ...(deny && { deny }) };
  const found = await readServeSettings(context, policyFlags, root);
  const settings =
    preset === undefined ? found : { ...found, policy: servePolicy(policyFlags, { preset }), limited: true };
  const policy = parsePolicy(settings.policy);
  const word = settings.store ? await readStore(context, settings) : undefined;
  const kept = word && (preset === undefined ? word : { ...word, policy });
  const client = as === undefined ? undefined : clientHere(context, as);
  return {
    options: {
      ...(await attachmentOf(context, settings, policy)),
      overHttp: settings.http !== undefined,
      ...(kept && { operator: () => Promise.resolve(kept) }),
      ...(client && { memory: () => client.memory }),
      // Lets a check tell that a person would be asked, without asking one.
      ask: () => false,
    },
    under: {
      source: sourceOf(flags, settings, kept),
      permissions: permissionsOf(flags, settings, kept),
      client: client === undefined ? 'any client that lists no roots' : `the client ${client.words}`,
    },
  };
}

async function requireRoot(path: string): Promise<void> {
  const look = await lookAt(path);
  if (!('refused' in look) || look.refused !== 'missing') return;
  const { message, hint } = createRootIssue('missing', toFileUri(path));
  throw new Error(`${message}\n${hint}`);
}

/** The roots that a person keeps, for this server; `undefined` if there are none. */
async function readStore(context: CliContext, settings: ServeSettings): Promise<OperatorWord | undefined> {
  await using store = await openRootStore({ file: ownStoreFile(context), follow: false });
  return createStoreOperator(settings).wordFor(store.snapshot());
}

function sourceOf({ root }: CheckFlags, settings: ServeSettings, kept: OperatorWord | undefined): string {
  if (root !== undefined) return `\`rootward serve ${root.map(quote).join(' ')}\``;
  if (settings.directories !== undefined)
    return '`rootward serve` here, with the directories of its settings';
  if (settings.project !== undefined) return '`rootward serve` here, with the project of its settings';
  if (kept !== undefined) return '`rootward serve` here, with the roots that are kept';
  return '`rootward serve` here, with the project that it finds';
}

function permissionsOf(
  { preset }: CheckFlags,
  settings: ServeSettings,
  kept: OperatorWord | undefined,
): string {
  if (preset !== undefined) return `the preset ${quote(preset)}, as if it were set`;
  if (kept !== undefined) return `those that are kept for the server ${quote(settings.server)}`;
  return `those of \`rootward serve\`${settings.policy.preset === undefined ? '' : `: the preset ${quote(settings.policy.preset)}`}`;
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

interface FormattedCheck {
  readonly operation: Operation;
  readonly path: string;
  readonly check: PathCheck;
  readonly under: RulesJudgedBy;
}

function format(context: CliContext, { operation, path, check, under }: FormattedCheck): string {
  const paint = createPaint(context);
  const verdict = check.allowed ? paint('green', 'allowed') : paint('red', 'refused');
  const { root, place, kind, rule, reason, hint } = check;
  const fields: (readonly [string, string | undefined])[] = [
    ['root', root],
    ['place', place === undefined ? undefined : `${place} (${kind ?? 'not there yet'})`],
    ['rule', rule],
    ['because', reason],
    ['hint', hint],
    ['as in', under.source],
    ['permits', under.permissions],
    ['for', under.client],
  ];
  const known = fields.flatMap(([label, value]) =>
    value === undefined ? [] : [[label, escapeText(value)] as const],
  );
  return `${verdict}  ${operation} ${quote(path)}\n${formatFields(known, paint)}`;
}
