import { escapeText } from '../../base/quote.ts';
import { findRootIssues } from '../../client/discover/find-root-issues.ts';
import type { RootFinding } from '../../client/discover/root-finding.ts';
import type { StoredRoot } from '../../client/store/stored-root.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { exitCode } from '../terminal/exit-code.ts';
import { createPaint, type PaintText } from '../terminal/paint.ts';
import { lookIntoStore } from './own-store.ts';

export interface DoctorRootsFlags {
  readonly json: boolean;
}

/** Checks every stored root and prints each problem with its remedy. */
export async function runDoctorRoots(this: CliContext, { json }: DoctorRootsFlags): Promise<void> {
  const { roots, file } = await lookIntoStore(this, async (store) => ({
    roots: store.list(),
    file: store.file,
  }));
  const findings = await findRootIssues(roots.map(({ uri, name }) => ({ uri, name })));
  const reported = findings
    .map((finding) => toReported(finding, roots))
    .filter(({ severity }) => severity !== 'note');
  const { stdout } = this.process;
  if (json) stdout.write(`${JSON.stringify({ file, roots: roots.length, findings: reported })}\n`);
  else stdout.write(format({ file, roots: roots.length, findings: reported }, createPaint(this)));
  if (reported.some(({ severity }) => severity === 'error')) this.process.exitCode = exitCode.refused;
}

interface ReportedFinding extends Omit<RootFinding, 'index' | 'effect' | 'entry'> {
  readonly root: string;
  /** A command that fixes the problem, if there is one. */
  readonly remedy?: string;
}

function toReported(
  { index, code, severity, message, hint, real }: RootFinding,
  roots: readonly StoredRoot[],
): ReportedFinding {
  const root = roots[index]?.name ?? '';
  const remedy = remedies[code]?.(quoteArgument(root));
  return {
    root,
    code,
    severity,
    message,
    hint,
    ...(real !== undefined && { real }),
    ...(remedy !== undefined && { remedy }),
  };
}

const remove = (root: string): string => `rootward roots remove ${root}`;

/** The command to type for each problem. Problems with the disk have none. */
const remedies: { readonly [Code in RootFinding['code']]?: (root: string) => string } = {
  missing: remove,
  duplicate: remove,
  sensitive: remove,
  'too-broad': remove,
  unusable: remove,
  'holds-sensitive': (root) => `rootward roots deny ${root} --glob PATTERN`,
  'leads-elsewhere': (root) => `rootward roots show ${root}`,
};

function quoteArgument(name: string): string {
  return /^[\w@%+=:,./-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}

interface DoctorReport {
  readonly file: string;
  readonly roots: number;
  readonly findings: readonly ReportedFinding[];
}

function format({ file, roots, findings }: DoctorReport, paint: PaintText): string {
  const kept = `${roots} ${roots === 1 ? 'root' : 'roots'} in ${escapeText(file)}`;
  if (findings.length === 0) return `${paint('green', 'ok')}  ${kept}\n`;
  const entries = findings.map(({ severity, message, hint, remedy }) => {
    const mark = paint(severity === 'error' ? 'red' : 'yellow', severity);
    const lines = [hint, ...(remedy === undefined ? [] : [remedy])].map(
      (line) => `    ${escapeText(line)}\n`,
    );
    return `${mark}  ${message}\n${lines.join('')}`;
  });
  return `${entries.join('')}${kept}\n`;
}
