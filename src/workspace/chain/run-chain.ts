import type { RootIssue } from '../../path/root-issue.ts';
import type { ChainContext } from './chain-context.ts';
import type { TrailStep } from './resolution.ts';
import { type ChosenSource, trySource } from './try-source.ts';

export interface ChainResult {
  readonly chosen: ChosenSource | undefined;
  readonly trail: readonly TrailStep[];
  readonly issues: readonly RootIssue[];
  /** A place that was named but does not carry the marker that the preset demands. */
  readonly unmarked: string | undefined;
}

/** Asks the sources in turn until one names a project that can be used; notes what the others would have said. */
export async function runChain(context: ChainContext): Promise<ChainResult> {
  const trail: TrailStep[] = [];
  const issues: RootIssue[] = [];
  let chosen: ChosenSource | undefined;
  let unmarked: string | undefined;
  let settled = false;
  for (const source of context.chain) {
    const offer = source.offer(context.signals, context.profile);
    const places = 'none' in offer ? [] : offer.places;
    const note = (outcome: TrailStep['outcome'], reason: string): void => {
      trail.push({ source: source.name, outcome, offered: places.map(({ text }) => text), reason });
    };
    if ('none' in offer) note('absent', offer.none);
    else if (settled) note('passed', 'an earlier source settled it');
    else {
      const tried = await trySource(context, source, places);
      issues.push(...tried.issues);
      ({ chosen, unmarked } = tried);
      note(chosen === undefined ? 'refused' : 'chosen', tried.reason);
      settled = chosen !== undefined || unmarked !== undefined || source.final === true;
    }
  }
  return { chosen, trail, issues, unmarked };
}
