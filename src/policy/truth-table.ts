import { toFileUri } from '../path/file-uri.ts';
import { createRootIssue } from '../path/root-issue.ts';
import type { Root } from '../path/root.ts';
import type { RootsAnswer } from '../workspace/sources/roots-answer.ts';
import { merge, type Merged, type MergeMode, mergeModes, type MergeOutcome } from './merge.ts';

/** The outcome of one client answer in one mode. */
export interface TruthTableRow {
  readonly mode: MergeMode;
  /** In the words of the table, such as `empty or unusable after having listed (revoked)`. */
  readonly answer: string;
  /** If the operator named directories. */
  readonly named: MergeOutcome;
  readonly noneNamed: MergeOutcome;
}

/**
 * Runs `merge` on sample roots for every mode and answer, so that the table shows what really happens.
 *
 * @example
 * ```ts
 * truthTable().find(({ mode, answer }) => mode === 'intersect' && answer === 'listed').named // → 'those ∩ listed'
 * ```
 */
export function truthTable(): readonly TruthTableRow[] {
  return mergeModes.flatMap((mode) =>
    Object.entries(answers).map(([answer, sample]) => ({
      mode,
      answer,
      named: nameOutcome(merge(ceiling, sample, mode, { platform: 'posix' })),
      noneNamed: nameOutcome(merge(undefined, sample, mode, { platform: 'posix' })),
    })),
  );
}

/**
 * Formats the table as plain text, one line per row.
 *
 * @example
 * ```ts
 * formatTruthTable(truthTable()).split('\n').length // → 37
 * ```
 */
export function formatTruthTable(rows: readonly TruthTableRow[]): string {
  const lines = [
    ['mode', "client's answer", 'operator named directories', 'none named'],
    ...rows.map(({ mode, answer, named, noneNamed }) => [mode, answer, words(named), words(noneNamed)]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

function words(outcome: MergeOutcome): string {
  return outcome === 'detected' ? 'the detected project' : outcome;
}

/** One directory that the client narrows, and one that it does not name. */
const ceiling: readonly Root[] = [sampleRoot('/srv/app'), sampleRoot('/srv/docs')];

const listed: readonly Root[] = [sampleRoot('/srv/app/web'), sampleRoot('/home/me')];

const foreign = createRootIssue('foreign-scheme', 'https://example.com/app');
const whole = createRootIssue('whole-file-system', 'file:///');

const answers: Readonly<Record<string, RootsAnswer>> = {
  'not asked yet': { state: 'unasked' },
  'unsupported, not askable': { state: 'unsupported' },
  listed: { state: 'listed', roots: listed },
  'empty, never listed before': { state: 'empty', revoked: false },
  'listed, and no entry is usable': { state: 'empty', revoked: false, issues: [foreign] },
  'listed, too broad': { state: 'listed', roots: [], issues: [whole] },
  'empty or unusable after having listed (revoked)': { state: 'empty', revoked: true },
  'failed at the first ask': { state: 'failed', afterChange: false, reason: 'no answer' },
  'failed after a change': { state: 'failed', afterChange: true, reason: 'no answer' },
};

/** The sample paths of each outcome. */
const samples: Readonly<Record<string, MergeOutcome>> = {
  '/srv/app /srv/docs': 'those',
  '/srv/app/web /home/me': 'listed',
  '/srv/app /srv/docs /srv/app/web /home/me': 'those ∪ listed',
  '/srv/app/web': 'those ∩ listed',
};

function nameOutcome(merged: Merged): MergeOutcome {
  if (merged.kind !== 'roots') return merged.kind;
  const paths = merged.roots.map(({ path }) => path).join(' ');
  const outcome = samples[paths];
  if (outcome === undefined) throw new Error(`Cannot name the outcome ${paths}`);
  return outcome;
}

function sampleRoot(path: string): Root {
  return { uri: toFileUri(path, { platform: 'posix' }), path, name: path, kind: 'directory' };
}
