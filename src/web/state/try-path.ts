import { join } from 'node:path';
import { quote } from '../../base/quote.ts';
import type { Operation } from '../../boundary/step/operation.ts';
import type { StoreSnapshot } from '../../client/store/stored-root.ts';
import { RootwardError } from '../../errors.ts';
import { isFileUri, isRelative, parseFileUri } from '../../path/file-uri.ts';
import { expandHome } from '../../path/home.ts';
import { locate } from '../../path/locate.ts';
import type { Root } from '../../path/root.ts';
import { decide } from '../../policy/decide.ts';
import type { Decision } from '../../policy/decision.ts';
import type { PermissionConfig } from '../../policy/rules/policy-config.ts';
import type { Policy } from '../../policy/rules/policy.ts';
import { checkAccess } from '../../server/settings/path-check.ts';
import { openWorkspace } from '../../workspace/workspace.ts';
import type { TryStep, TryView } from '../wire/wire.ts';
import { createTryScene, type TryCaller, type TryScene } from './try-scene.ts';

export interface TryRequest extends TryCaller {
  /** A path or a file URI, as a person typed it. */
  readonly path: string;
  readonly operation: Operation;
}

/** Follows the steps of `access` for one path without acting. */
export async function tryPath(snapshot: StoreSnapshot, attempt: TryRequest): Promise<TryView> {
  const scene = createTryScene(snapshot, attempt);
  const read = readTyped(attempt.path, scene);
  if ('problem' in read) return refuse('unreadable', [read.problem], read.hint);
  const steps: TryStep[] = [
    { title: 'Understand the path', outcome: 'good', text: `It means ${quote(read.path)}` },
  ];
  const found = locate(
    scene.roots.map(({ path }) => path),
    read.path,
  );
  const root = found && scene.roots.find(({ path }) => path === found.root);
  if (found === undefined || root === undefined) {
    steps.push({ title: 'Find the root', outcome: 'bad', text: whyOutside(scene) });
    return refuse('outside-roots', steps, 'Add the folder that contains it as a root');
  }
  const text = `${quote(root.name)} contains it, as ${quote(found.relative)}`;
  steps.push({ title: 'Find the root', outcome: 'good', text });
  const { permissions = {} } = snapshot.roots.find(({ path }) => path === root.path) ?? {};
  const way = { root, permissions, relative: found.relative, policy: scene.policy, steps };
  return judge(way, { ...attempt, path: read.path });
}

type ReadPath = { readonly path: string } | { readonly problem: TryStep; readonly hint: string };

function readTyped(text: string, { from, roots }: TryScene): ReadPath {
  const typed = text.trim();
  const expanded = expandHome(typed);
  try {
    if (isFileUri(expanded)) return { path: parseFileUri(expanded) };
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    return unreadable(error.message, error.hint);
  }
  if (expanded === '') return unreadable('The path is empty', 'Type an absolute path or a file URI');
  if (!isRelative(expanded)) return { path: expanded };
  if (from !== undefined) return { path: join(from, expanded) };
  return roots.length === 0
    ? { path: expanded }
    : unreadable(
        'Relative paths begin in the project of a client, and no client is selected',
        'Choose a client of a running server, or type an absolute path',
      );
}

function unreadable(text: string, hint: string): ReadPath {
  return { problem: { title: 'Understand the path', outcome: 'bad', text }, hint };
}

function whyOutside({ roots, limitedTo }: TryScene): string {
  if (limitedTo !== undefined)
    return `None of the ${roots.length} roots that ${quote(limitedTo)} may see contains it`;
  if (roots.length === 0) return 'There are no roots yet';
  return `It is in none of your ${roots.length === 1 ? 'one root' : `${roots.length} roots`}`;
}

interface TryWay {
  readonly root: Root;
  /** The stored permissions. */
  readonly permissions: PermissionConfig;
  readonly relative: string;
  readonly policy: Policy;
  readonly steps: TryStep[];
}

async function judge(
  { root, permissions, relative, policy, steps }: TryWay,
  attempt: TryRequest,
): Promise<TryView> {
  const decision = decide(policy, attempt, { root: root.name, relative: relative.replaceAll('\\', '/') });
  steps.push(...stepsOf(decision, attempt.operation));
  if (decision.verdict !== 'allow') {
    steps.push({ title: 'Check the disk', outcome: 'skipped', text: 'Not needed: the rules have decided' });
    const { verdict, rule } = decision;
    return { verdict, rule, root: root.name, steps, ...hintFor(decision, root.name, permissions) };
  }
  await using workspace = await openWorkspace([root]);
  const check = await checkAccess({ workspace, policy }, attempt);
  const title = 'Check the disk';
  if (!check.allowed) {
    steps.push({ title, outcome: 'bad', text: check.reason });
    return { ...refuse(check.rule, steps, check.hint), root: root.name };
  }
  const there = check.kind === undefined ? 'it does not exist yet' : `it is a ${check.kind}`;
  steps.push({ title, outcome: 'good', text: `${quote(check.place ?? '.')} is in the root; ${there}` });
  return { verdict: 'allow', rule: decision.rule, root: root.name, steps };
}

function stepsOf({ verdict, rule, reason }: Decision, operation: Operation): readonly TryStep[] {
  const denyTitle = 'Check the restrictions';
  const title = 'Check the permissions';
  if (rule.startsWith('deny:')) {
    return [
      { title: denyTitle, outcome: 'bad', text: `The rule ${quote(rule.slice(5))} matches: ${reason}` },
      { title, outcome: 'skipped', text: 'A restriction wins over permissions' },
    ];
  }
  const clear: TryStep = { title: denyTitle, outcome: 'good', text: 'None of them matches' };
  const words = { allow: 'is allowed', deny: 'is not allowed', ask: 'needs your consent' }[verdict];
  return [
    clear,
    { title, outcome: verdict === 'allow' ? 'good' : 'bad', text: `To ${operation} ${words} (${rule})` },
  ];
}

function hintFor(
  { verdict, rule }: Decision,
  name: string,
  permissions: PermissionConfig,
): { readonly hint?: string } {
  if (verdict === 'ask') return { hint: 'A question would appear here, and wait for your answer' };
  if (!rule.startsWith('deny:')) return { hint: `Switch the permission on for ${quote(name)}` };
  const glob = rule.slice('deny:'.length);
  const isOwn = permissions.deny?.some((own) => (typeof own === 'string' ? own : own.glob) === glob) ?? false;
  if (isOwn) return { hint: `To allow it, remove the restriction ${quote(glob)} from ${quote(name)}` };
  return { hint: 'Files like this usually hold secrets, so they are blocked for every server' };
}

function refuse(rule: string, steps: readonly TryStep[], hint: string | undefined): TryView {
  return { verdict: 'deny', rule, steps, ...(hint === undefined ? {} : { hint }) };
}
