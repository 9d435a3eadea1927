import { homedir } from 'node:os';
import { relative } from 'node:path';
import type * as clack from '@clack/prompts';
import { escapeText } from '../../base/quote.ts';
import type { Candidate } from '../../client/discover/candidate.ts';
import { discover } from '../../client/discover/discover.ts';
import { findRootIssues } from '../../client/discover/find-root-issues.ts';
import type { RootFinding } from '../../client/discover/root-finding.ts';
import type { RootStore } from '../../client/store/root-store.ts';
import type { StoredRoot } from '../../client/store/stored-root.ts';
import type { PresetName } from '../../policy/rules/permission-presets.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { realDisk } from '../../workspace/chain/real-disk.ts';
import { exitCode, refuseUsage } from '../terminal/exit-code.ts';
import { fromTerminal } from '../terminal/here.ts';
import { changeStore } from './own-store.ts';

export interface PickRootsFlags {
  readonly depth?: number;
  readonly seconds: number;
  readonly preset?: PresetName;
  readonly recent: boolean;
}

type Prompts = typeof clack;

/** Lets a person choose among found and stored roots on the terminal. */
export async function runPickRoots(this: CliContext, flags: PickRootsFlags, directory = '.'): Promise<void> {
  if (this.isTerminal !== true || this.process.stdout.isTTY !== true) return refuseUsage(this, noTerminal);
  const prompts = await import('@clack/prompts');
  const top = fromTerminal(this, directory);
  prompts.intro('Roots for MCP servers');
  const found = await search(prompts, top, flags);
  await changeStore(this, async (store) => {
    const kept = store.list();
    const choices = await listChoices(kept, found);
    if (choices.length === 0)
      return prompts.outro(`Nothing was found in ${escapeText(top)}. Name another directory`);
    const chosen = await choose(prompts, choices, kept);
    if (chosen === undefined) return cancel(this, prompts);
    await apply(this, prompts, { store, kept, chosen, preset: flags.preset });
  });
}

const noTerminal = [
  'Cannot pick without a terminal. Say it with flags instead:',
  '  rootward roots add DIR... [--preset write-in-project]',
  '  rootward roots remove ROOT...',
  'What there is to choose from: rootward find --json',
].join('\n');

async function search(
  prompts: Prompts,
  top: string,
  { depth, seconds, recent }: PickRootsFlags,
): Promise<readonly Candidate[]> {
  const spinner = prompts.spinner();
  spinner.start(`Looking for projects in ${escapeText(top)}`);
  const found: Candidate[] = [];
  try {
    const candidates = discover(top, {
      milliseconds: seconds * 1_000,
      ...(depth !== undefined && { depth }),
      ...(!recent && { recent: false }),
      onProgress: (progress) =>
        spinner.message(`${progress.candidates} found  ${escapeText(progress.at.slice(-40))}`),
    });
    for await (const candidate of candidates) found.push(candidate);
  } finally {
    spinner.stop(`${found.length} ${found.length === 1 ? 'candidate' : 'candidates'}`);
  }
  return found;
}

/** One line of the list. Its value is a path. */
interface PickOption {
  readonly value: string;
  readonly label: string;
  readonly hint: string;
}

/** Stored roots come first, so that removing one needs no search. */
async function listChoices(
  kept: readonly StoredRoot[],
  found: readonly Candidate[],
): Promise<readonly PickOption[]> {
  const isNew = await newAmong(
    kept.map(({ path }) => path),
    found.map(({ root }) => root.path),
  );
  return [
    ...kept.map(({ path, name }) => toChoice(path, name, 'kept')),
    ...found
      .filter(({ root }) => isNew.has(root.path))
      .map(({ root, reasons }) => toChoice(root.path, root.name, reasons[0]?.text ?? '')),
  ];
}

/** The paths that lead to none of the known places, with links followed on both sides. */
async function newAmong(known: readonly string[], paths: readonly string[]): Promise<ReadonlySet<string>> {
  const places = new Set([...known, ...(await Promise.all(known.map((path) => realDisk.realPath(path))))]);
  const real = await Promise.all(paths.map((path) => realDisk.realPath(path)));
  return new Set(paths.filter((path, index) => !places.has(path) && !places.has(real[index] ?? path)));
}

function toChoice(path: string, name: string, hint: string): PickOption {
  const fromHome = relative(homedir(), path);
  const shown = fromHome.startsWith('..') || fromHome === path ? path : `~/${fromHome}`;
  return { value: path, label: `${escapeText(name)}  ${escapeText(shown)}`, hint };
}

async function choose(
  prompts: Prompts,
  choices: readonly PickOption[],
  kept: readonly StoredRoot[],
): Promise<readonly string[] | undefined> {
  const chosen = await prompts.autocompleteMultiselect({
    message: 'Which of them may servers see?',
    placeholder: 'Type to search',
    options: [...choices],
    initialValues: kept.map(({ path }) => path),
    maxItems: 12,
    filter: (text, { label, value }) =>
      `${label ?? ''} ${value}`.toLowerCase().includes(text.trim().toLowerCase()),
  });
  return prompts.isCancel(chosen) ? undefined : chosen;
}

interface PickedRoots {
  readonly store: RootStore;
  /** The roots that were stored when the person chose. Roots that others added since then stay. */
  readonly kept: readonly StoredRoot[];
  readonly chosen: readonly string[];
  readonly preset: PresetName | undefined;
}

async function apply(
  context: CliContext,
  prompts: Prompts,
  { store, kept, chosen, preset }: PickedRoots,
): Promise<void> {
  const known = [...kept, ...(await store.refresh()).roots].map(({ path }) => path);
  const added = await withoutRefused(prompts, [...(await newAmong(known, chosen))]);
  const removed = kept.filter(({ path }) => !chosen.includes(path) && store.get(path) !== undefined);
  if (removed.length > 0 && !(await confirmRemoval(prompts, removed))) return cancel(context, prompts);
  await store.addAll(added.map((path) => Object.assign({ path }, preset !== undefined && { preset })));
  for (const { path } of removed) await store.remove(path);
  prompts.outro(`${added.length} added, ${removed.length} removed, ${store.list().length} kept`);
}

/** Reports the roots that cannot be shared and leaves them out. */
async function withoutRefused(prompts: Prompts, paths: readonly string[]): Promise<readonly string[]> {
  const findings = await findRootIssues(paths);
  const serious = findings.filter(({ severity }) => severity !== 'note');
  for (const { severity, message, hint } of serious) tellerOf(prompts, severity)(`${message}\n${hint}`);
  const refused = new Set(serious.filter(({ severity }) => severity === 'error').map(({ index }) => index));
  return paths.filter((_, index) => !refused.has(index));
}

function tellerOf({ log }: Prompts, severity: RootFinding['severity']): (text: string) => void {
  return severity === 'error' ? log.error : log.warn;
}

async function confirmRemoval(prompts: Prompts, removed: readonly StoredRoot[]): Promise<boolean> {
  const names = removed.map(({ name }) => escapeText(name)).join(', ');
  const answer = await prompts.confirm({
    message: `Remove ${names} and all permissions?`,
    initialValue: false,
  });
  return answer === true;
}

function cancel({ process }: CliContext, prompts: Prompts): void {
  prompts.cancel('Nothing was changed');
  process.exitCode = exitCode.refused;
}
