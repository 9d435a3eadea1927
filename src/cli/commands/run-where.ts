import { resolve } from 'node:path';
import { escapeText, quote } from '../../base/quote.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import type { ChainPresetName } from '../../workspace/chain/chain-presets.ts';
import type { Resolution, TrailStep } from '../../workspace/chain/resolution.ts';
import { resolveWorkspace } from '../../workspace/chain/resolve-workspace.ts';
import type { Profile } from '../../workspace/sources/profile.ts';
import { exitCode, refuseUsage } from '../terminal/exit-code.ts';
import { type HereFlags, signalsHere } from '../terminal/here.ts';
import { createPaint, formatColumns, formatFields, type PaintText } from '../terminal/paint.ts';

export interface WhereFlags extends HereFlags {
  readonly preset: ChainPresetName;
  readonly marker?: readonly string[];
  readonly profiles?: string;
  readonly policy: boolean;
  readonly map: boolean;
  readonly json: boolean;
}

/** Prints the project of this directory and the whole way to the answer. */
export async function runWhere(this: CliContext, flags: WhereFlags, ...command: string[]): Promise<void> {
  if (flags.map) return printMap(this, flags.json, command);
  if (command.length > 0)
    return refuseUsage(this, 'A command belongs to --map: rootward where --map -- COMMAND');
  if (flags.policy) return printPolicy(this, flags.json);
  const resolution = await resolveHere(this, flags);
  const text = flags.json ? `${JSON.stringify(toJson(resolution))}\n` : format(resolution, createPaint(this));
  this.process.stdout.write(text);
  if (resolution.status !== 'resolved') this.process.exitCode = exitCode.refused;
}

async function resolveHere(context: CliContext, flags: WhereFlags): Promise<Resolution> {
  const { preset, profiles: file, marker } = flags;
  const profiles = file === undefined ? [] : await loadProfiles(resolve(context.cwd, file));
  return resolveWorkspace(signalsHere(context, flags), {
    preset,
    profiles,
    ...(marker === undefined ? {} : { markers: marker }),
  });
}

async function loadProfiles(file: string): Promise<readonly Profile[]> {
  const { loadProfiles: load } = await import('../../workspace/profiles/load-profiles.ts');
  return load(file);
}

async function printPolicy({ process: { stdout } }: CliContext, json: boolean): Promise<void> {
  const { formatTruthTable, truthTable } = await import('../../policy/truth-table.ts');
  const rows = truthTable();
  stdout.write(`${json ? JSON.stringify(rows) : formatTruthTable(rows)}\n`);
}

/** Prints the names that a server has for directories, with the source of each. */
async function printMap(context: CliContext, json: boolean, command: readonly string[]): Promise<void> {
  const [{ pathMapHere }, { mapRefusals, mapRows }] = await Promise.all([
    import('../terminal/path-map-here.ts'),
    import('../../gateway/map/map-in-words.ts'),
  ]);
  const { stdout, stderr } = context.process;
  const map = await pathMapHere(context, [], command);
  const rows = mapRows(map);
  const table = rows.map(({ client, server, source }) => [quote(client), quote(server), source]);
  const none = 'The server has the same names for directories as the client\n';
  stdout.write(json ? `${JSON.stringify(rows)}\n` : rows.length === 0 ? none : formatColumns(table));
  for (const refusal of mapRefusals(map)) stderr.write(`rootward: ${refusal}\n`);
}

function toJson(resolution: Resolution): unknown {
  if (resolution.status === 'resolved') return resolution;
  const { error, ...rest } = resolution;
  return { ...rest, error: error.toJSON() };
}

function format(resolution: Resolution, paint: PaintText): string {
  return `${formatAnswer(resolution, paint)}\n${paint('dim', 'tried, in this order')}\n${formatTrail(resolution.trail)}${formatIssues(resolution, paint)}`;
}

function formatAnswer(resolution: Resolution, paint: PaintText): string {
  switch (resolution.status) {
    case 'resolved': {
      const { project, source, confidence, trail } = resolution;
      const reason = trail.find(({ outcome }) => outcome === 'chosen')?.reason ?? '';
      return formatFields(
        [
          ['project', paint('bold', escapeText(project.name))],
          ['location', escapeText(project.location)],
          ['id', escapeText(project.id)],
          ['markers', escapeText(project.markers.join(', ')) || 'none'],
          ['source', `${source} (${confidence}): ${escapeText(reason)}`],
        ],
        paint,
      );
    }
    case 'ambiguous':
    case 'unresolved': {
      const { message, data, hint } = resolution.error;
      // The message lists what was tried, and so do the lines below it.
      const state = 'tried' in data && data.text === undefined ? 'Cannot determine the project' : message;
      return `${paint('red', state)}\n${hint}\n`;
    }
  }
}

const marks: { readonly [Outcome in TrailStep['outcome']]: string } = {
  chosen: '→',
  refused: '✗',
  absent: '·',
  passed: '○',
};

function formatTrail(trail: readonly TrailStep[]): string {
  const rows = trail.map(({ source, outcome, offered, reason }) => [
    marks[outcome],
    source,
    offered.length === 0 ? escapeText(reason) : `${offered.map(quote).join(', ')}: ${escapeText(reason)}`,
  ]);
  return formatColumns(rows, '  ');
}

function formatIssues({ issues }: Resolution, paint: PaintText): string {
  // Two sources may name the same place.
  const lines = new Set(issues.map(({ message, hint }) => `${paint('yellow', message)}. ${hint}\n`));
  return [...lines].join('');
}
