import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Operation } from '../boundary/operation.ts';
import type { StoredRoot, StoreSnapshot } from '../client/stored-root.ts';
import { toPolicyConfig } from '../client/permissions-for.ts';
import { RootwardError } from '../errors.ts';
import { isFileUri, parseFileUri } from '../path/file-uri.ts';
import { locate } from '../path/locate.ts';
import { decide } from '../policy/decide.ts';
import type { Decision } from '../policy/decision.ts';
import { parsePolicy, type Policy } from '../policy/policy.ts';
import { quote } from '../quote.ts';
import { checkPath } from '../server/check-path.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import type { TryStep, TryView } from './wire.ts';

export interface Attempt {
  /** A path or a file URI, as somebody typed it. */
  readonly path: string;
  readonly operation: Operation;
  /** As this server; any without permissions of its own unless said. */
  readonly server?: string;
}

/** Goes the way of the sentence, step by step, and does nothing. */
export async function tryPath(snapshot: StoreSnapshot, attempt: Attempt): Promise<TryView> {
  const read = readTyped(attempt.path);
  if ('problem' in read) return refuse('unreadable', [read.problem], read.hint);
  const steps: TryStep[] = [{ title: 'Read it', outcome: 'good', text: `It means ${quote(read.path)}` }];
  const roots = rootsFor(snapshot, attempt.server);
  const found = locate(
    roots.map(({ path }) => path),
    read.path,
  );
  const root = found && roots.find(({ path }) => path === found.root);
  if (found === undefined || root === undefined) {
    steps.push({ title: 'Find its root', outcome: 'bad', text: whyOutside(snapshot, roots, attempt) });
    return refuse('outside-roots', steps, 'Add the folder that holds it as a root');
  }
  const text = `${quote(root.name)} holds it, as ${quote(found.relative)}`;
  steps.push({ title: 'Find its root', outcome: 'good', text });
  const policy = parsePolicy(toPolicyConfig([root], attempt.server));
  return judge({ root, relative: found.relative, policy, steps }, { ...attempt, path: read.path });
}

type Read = { readonly path: string } | { readonly problem: TryStep; readonly hint: string };

function readTyped(text: string): Read {
  const typed = text.trim();
  const expanded = /^~(?=\/|$)/.test(typed) ? join(homedir(), typed.slice(1)) : typed;
  try {
    if (isFileUri(expanded)) return { path: parseFileUri(expanded) };
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    return { problem: { title: 'Read it', outcome: 'bad', text: error.message }, hint: error.hint };
  }
  if (expanded !== '') return { path: expanded };
  const problem: TryStep = { title: 'Read it', outcome: 'bad', text: 'There is nothing to read' };
  return { problem, hint: 'Type an absolute path or a file URI' };
}

/** The only roots that a server may see, where somebody named them. */
function rootsFor({ roots, servers }: StoreSnapshot, server: string | undefined): readonly StoredRoot[] {
  const subset = server === undefined ? undefined : servers[server]?.roots;
  return subset === undefined ? roots : roots.filter(({ path }) => subset.includes(path));
}

function whyOutside(snapshot: StoreSnapshot, roots: readonly StoredRoot[], { server = '' }: Attempt): string {
  if (snapshot.roots.length === 0) return 'There is no root yet';
  if (roots.length < snapshot.roots.length)
    return `None of the ${roots.length} roots that ${quote(server)} may see holds it`;
  return `None of ${roots.length === 1 ? 'one root' : `${roots.length} roots`} holds it`;
}

interface Way {
  readonly root: StoredRoot;
  readonly relative: string;
  readonly policy: Policy;
  readonly steps: TryStep[];
}

async function judge({ root, relative, policy, steps }: Way, attempt: Attempt): Promise<TryView> {
  const decision = decide(policy, attempt, { root: root.name, relative: relative.replaceAll('\\', '/') });
  steps.push(...stepsOf(decision, attempt.operation));
  if (decision.verdict !== 'allow') {
    steps.push({ title: 'Look at the real names', outcome: 'skipped', text: 'The rules come first' });
    const { verdict, rule } = decision;
    return { verdict, rule, root: root.name, steps, ...hintFor(decision, root) };
  }
  await using workspace = await openWorkspace([root]);
  const check = await checkPath(workspace, policy, attempt);
  const title = 'Look at the real names';
  if (!check.allowed) {
    steps.push({ title, outcome: 'bad', text: check.reason });
    return { ...refuse(check.rule, steps, check.hint), root: root.name };
  }
  const there = check.kind === undefined ? 'nothing is there yet' : `it is a ${check.kind}`;
  steps.push({ title, outcome: 'good', text: `${quote(check.place ?? '.')} lies in the root; ${there}` });
  return { verdict: 'allow', rule: decision.rule, root: root.name, steps };
}

function stepsOf({ verdict, rule, reason }: Decision, operation: Operation): readonly TryStep[] {
  const denyTitle = 'Ask the restrictions';
  const title = 'Ask the permissions';
  if (rule.startsWith('deny:')) {
    return [
      { title: denyTitle, outcome: 'bad', text: `The rule ${quote(rule.slice(5))} matches: ${reason}` },
      { title, outcome: 'skipped', text: 'A restriction wins, whatever is permitted' },
    ];
  }
  const clear: TryStep = { title: denyTitle, outcome: 'good', text: 'None of them matches' };
  const words = { allow: 'is permitted', deny: 'is not permitted', ask: 'needs the yes of a person' }[
    verdict
  ];
  return [
    clear,
    { title, outcome: verdict === 'allow' ? 'good' : 'bad', text: `To ${operation} ${words} (${rule})` },
  ];
}

function hintFor({ verdict, rule }: Decision, { name, permissions }: StoredRoot): { readonly hint?: string } {
  if (verdict === 'ask') return { hint: 'A question would appear here, and wait for your answer' };
  if (!rule.startsWith('deny:')) return { hint: `Switch the permission on for ${quote(name)}` };
  const glob = rule.slice('deny:'.length);
  const isOwn = permissions.deny?.some((own) => (typeof own === 'string' ? own : own.glob) === glob) ?? false;
  if (isOwn)
    return { hint: `If that is not meant, take the restriction ${quote(glob)} away from ${quote(name)}` };
  return { hint: 'Files like this usually hold secrets, so they stay closed to every server' };
}

function refuse(rule: string, steps: readonly TryStep[], hint: string | undefined): TryView {
  return { verdict: 'deny', rule, steps, ...(hint === undefined ? {} : { hint }) };
}
