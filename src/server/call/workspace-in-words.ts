import { escapeText } from '../../base/quote.ts';
import type { RootIssue } from '../../path/root-issue.ts';
import type { TrailStep } from '../../workspace/chain/resolution.ts';
import type { Composition } from '../compose/composition.ts';

/** Tells a model in a few lines which project this is, what can be reached, and what was left out. */
export function workspaceInWords(composition: Composition, issues: readonly RootIssue[]): string {
  const { workspace, open, why } = composition;
  const roots = open.roots.map(({ root: { name, path } }) => `${escapeText(name)} (${escapeText(path)})`);
  return [
    ...(workspace === undefined ? [] : projectInWords(composition)),
    `Roots: ${roots.join(', ') || 'none'}`,
    `Why these roots: ${escapeText(why)}`,
    ...issues.map(issueInWords),
  ].join('\n');
}

function projectInWords({ workspace, resolution }: Composition): readonly string[] {
  if (workspace === undefined) return [];
  const { project, source, confidence } = workspace;
  const place = project.location === undefined ? 'a name only' : escapeText(project.location);
  const chosen = resolution.trail.find(({ outcome }) => outcome === 'chosen');
  const reason = chosen === undefined ? '' : `: ${escapeText(chosen.reason)}`;
  return [`Project: ${escapeText(project.name)} (${place})`, `Named by: ${source}, ${confidence}${reason}`];
}

function issueInWords({ effect, entry, message, hint }: RootIssue): string {
  return `${issueTitles[effect]}: ${escapeText(entry)}: ${escapeText(message)}. ${escapeText(hint)}`;
}

const issueTitles: { readonly [Effect in RootIssue['effect']]: string } = {
  dropped: 'Not used',
  repaired: 'Repaired',
  warned: 'Note',
};

/** Tells how each other source did, in the order in which they were asked. */
export function trailInWords(trail: readonly TrailStep[]): string {
  const steps = trail
    .filter(({ outcome }) => outcome !== 'chosen')
    .map(({ source, reason }) => `${source} (${escapeText(reason)})`);
  return `Other sources: ${steps.join('; ') || 'none'}`;
}
