import { relative, resolve } from 'node:path';
import { escapeText, quote } from '../../base/quote.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { type FindProgress, findProjects } from '../../workspace/project/find-projects.ts';
import type { FoundProject } from '../../workspace/project/project.ts';
import { exitCode } from '../terminal/exit-code.ts';
import { createPaint, formatColumns, type PaintText } from '../terminal/paint.ts';

export interface FindFlags {
  readonly depth?: number;
  readonly marker?: readonly string[];
  readonly all: boolean;
  readonly seconds: number;
  readonly json: boolean;
}

/** Prints the projects below a directory: a table for a person, one JSON line each for a program. */
export async function runFind(this: CliContext, flags: FindFlags, directory = '.'): Promise<void> {
  const top = resolve(this.cwd, directory);
  const status = createStatusLine(this);
  const search = findProjects(top, { ...toOptions(flags), onProgress: status.show });
  const found: FoundProject[] = [];
  try {
    for await (const project of search) {
      found.push(project);
      if (flags.json) this.process.stdout.write(`${JSON.stringify(project)}\n`);
    }
  } finally {
    status.clear();
  }
  if (!flags.json && found.length > 0) this.process.stdout.write(format(top, found, createPaint(this)));
  if (!flags.json && found.length === 0) this.process.stdout.write(nothingBelow(directory));
  for (const note of notesOn(search)) this.process.stderr.write(`${note}\n`);
  if (found.length === 0) this.process.exitCode = exitCode.refused;
}

function toOptions({ depth, marker, all, seconds }: FindFlags) {
  return {
    gitignore: !all,
    milliseconds: seconds * 1_000,
    ...(depth === undefined ? {} : { depth }),
    ...(marker === undefined ? {} : { markers: marker }),
  };
}

interface StatusLine {
  readonly show: (progress: FindProgress) => void;
  readonly clear: () => void;
}

/** A status line on stderr that overwrites itself; does nothing unless stderr is a terminal. */
function createStatusLine({ process: { stderr } }: CliContext): StatusLine {
  if (stderr.isTTY !== true) return { show: () => {}, clear: () => {} };
  const overwrite = (text: string): void => stderr.write(`\r\u001B[2K${text}`);
  return {
    show: ({ directories, projects, at }) =>
      overwrite(`${projects} projects in ${directories} directories  ${escapeText(at.slice(-60))}`),
    clear: () => overwrite(''),
  };
}

function nothingBelow(directory: string): string {
  return `Cannot find a project below ${quote(directory)}. Name another directory, or look deeper with --depth\n`;
}

function format(top: string, found: readonly FoundProject[], paint: PaintText): string {
  const rows = found.map((project) =>
    [
      relative(top, project.location) || '.',
      project.name,
      project.member ? 'package' : project.kind,
      project.markers.slice(0, 4).join(', '),
    ].map(escapeText),
  );
  const table = formatColumns([['where', 'name', 'kind', 'markers'], ...rows]);
  const [head = '', ...lines] = table.split('\n');
  return `${[paint('dim', head), ...lines].join('\n')}${found.length} ${found.length === 1 ? 'project' : 'projects'}\n`;
}

function notesOn({ stopped, skipped }: ReturnType<typeof findProjects>): readonly string[] {
  const notes: string[] = [];
  if (stopped === 'depth') notes.push('There is more further down: --depth goes deeper');
  else if (stopped !== undefined) notes.push(`Not everything was seen: the limit of ${stopped} was reached`);
  if (skipped > 0) notes.push(`${skipped} directories could not be read`);
  return notes;
}
