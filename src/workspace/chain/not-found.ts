import { RootwardError } from '../../errors.ts';
import { escapeText, quote } from '../../base/quote.ts';
import type { ChainPresetName } from './chain-presets.ts';
import type { Profile } from '../sources/profile.ts';
import type { TrailStep } from './resolution.ts';

/** The facts of a search that found no project. */
export interface FailedSearch {
  readonly preset: ChainPresetName;
  readonly trail: readonly TrailStep[];
  readonly profile: Profile | undefined;
  /** The product's own marker. */
  readonly marker: string | undefined;
  /** A place that was named but lacks the marker. */
  readonly unmarked: string | undefined;
}

/** Creates the error that says in one clause what is wrong, and what to do in this client. */
export function notFound(search: FailedSearch): RootwardError<'PROJECT_NOT_FOUND'> {
  const tried = search.trail.filter(({ outcome }) => outcome !== 'passed').map(describeStep);
  const text = textOf(search);
  const remedy = remedyFor(search);
  const refused = search.trail.findLast(({ outcome }) => outcome === 'refused');
  return new RootwardError('PROJECT_NOT_FOUND', {
    tried,
    ...(refused && { reason: `what ${refused.source} names cannot be used, because ${refused.reason}` }),
    remedy,
    ...(text === undefined ? {} : { text }),
  });
}

function describeStep({ source, offered, reason }: TrailStep): string {
  return offered.length === 0
    ? `${source}: ${reason}`
    : `${source} (${offered.map(quote).join(', ')}): ${reason}`;
}

/** Two presets promise the exact wording. */
function textOf(search: FailedSearch): string | undefined {
  switch (search.preset) {
    case 'default':
      return undefined;
    case 'adr-009':
      return 'Project context not available. Call switch_project with the basename of the current working directory.';
    case 'rfc-0020':
      return textOfMarkerSearch(search);
  }
}

function textOfMarkerSearch({ marker = '.blue', unmarked, trail }: FailedSearch): string {
  const { title, command } = productOf(marker);
  if (unmarked !== undefined)
    return `${title} not detected in: ${escapeText(unmarked)}. Expected ${marker}/ directory.`;
  const attempted = trail
    .flatMap(({ source, offered }) => offered.map((path) => `\n- ${source}: ${escapeText(path)}`))
    .join('');
  return [
    `${title} project not found. Either:`,
    ...(namesDirectory(trail) ? [] : [`- Pass 'cwd' parameter to tool calls`]),
    `- Run from within a ${title} project directory`,
    `- Initialize ${title} with '${command}'`,
    `Attempted:${attempted === '' ? ' nothing' : attempted}`,
  ].join('\n');
}

/** Whether the call named a directory: it is not told to name one again. */
function namesDirectory(trail: readonly TrailStep[]): boolean {
  return trail.some(({ source, outcome }) => source === 'argument' && outcome === 'refused');
}

/** `.blue` → Blue, `blue init`. */
function productOf(marker: string): { title: string; command: string } {
  const name = marker.replace(/^\.+/, '');
  return { title: name.charAt(0).toUpperCase() + name.slice(1), command: `${name} init` };
}

function remedyFor({ preset, profile, trail, marker = '.blue' }: FailedSearch): string {
  switch (preset) {
    case 'adr-009':
      return 'Call switch_project with your project name';
    case 'rfc-0020':
      return namesDirectory(trail)
        ? `Run '${productOf(marker).command}' in a directory that is allowed.`
        : `Run '${productOf(marker).command}' or pass 'cwd' parameter.`;
    case 'default':
      return clientRemedy(profile);
  }
}

function clientRemedy(profile: Profile | undefined): string {
  if (profile === undefined)
    return 'Open a folder in the client, start the server in the project, or start it with --project DIR';
  const [title] = profile.title.split(' (');
  return `In ${title}, ${profile.remedy}`;
}
