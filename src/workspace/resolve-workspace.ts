import { homedir, tmpdir } from 'node:os';
import { basename } from 'node:path';
import { RootwardError } from '../errors.ts';
import { toFileUri } from '../path/file-uri.ts';
import { hostPlatform } from '../path/platform.ts';
import type { Root } from '../path/root.ts';
import { type ChainContext, createChainContext, type ResolveOptions } from './chain-context.ts';
import { notFound } from './not-found.ts';
import type { Project } from './project.ts';
import { realDisk } from './real-disk.ts';
import type { Resolution } from './resolution.ts';
import { type ChainResult, type Choice, runChain } from './run-chain.ts';
import type { Signals } from './signals.ts';

/**
 * Which project? Asks every source in order, and keeps the whole trail: what each one named, and why it was
 * taken or refused. Never a silent guess: the answer says how sure it is, or what to do.
 *
 * @example
 * ```ts
 * const resolution = await resolveWorkspace({ cwd: process.cwd() });
 * resolution.status // → 'resolved'
 * resolution.project.name // → 'rootward'
 * resolution.source // → 'walk-up'
 * const nowhere = await resolveWorkspace({ cwd: '/' });
 * nowhere.status // → 'unresolved'
 * ```
 */
export async function resolveWorkspace(signals: Signals, options: ResolveOptions = {}): Promise<Resolution> {
  const machine = { platform: hostPlatform, home: homedir(), temporary: tmpdir() };
  const around = { ...machine, ...options.around };
  const context = createChainContext(signals, options, { around, disk: options.disk ?? realDisk });
  const result = await runChain(context);
  return conclude(context, result);
}

async function conclude(context: ChainContext, result: ChainResult): Promise<Resolution> {
  const { choice, trail, issues, unmarked } = result;
  const { name: preset, profile, markers } = context;
  if (choice === undefined) {
    const error = notFound({ preset, trail, profile, marker: markers[0], unmarked });
    return { status: 'unresolved', error, roots: [], trail, issues };
  }
  const roots = grantedRoots(context, choice);
  if (choice.arbitrary && context.needsOne) {
    const candidates = await Promise.all(choice.places.map(({ path }) => context.judge.disk.describe(path)));
    return { status: 'ambiguous', candidates, error: ambiguous(candidates), roots, trail, issues };
  }
  const { project, source, confidence } = choice;
  return { status: 'resolved', project, source: source.name, confidence, roots, trail, issues };
}

function ambiguous(candidates: readonly Project[]): RootwardError<'AMBIGUOUS_PROJECT'> {
  return new RootwardError('AMBIGUOUS_PROJECT', {
    candidates: candidates.map(({ name, location }) => `${name} (${location})`),
  });
}

/**
 * What comes with the project. Whoever calls can name one, and that grants nothing: the roots stay what the
 * client or the operator said.
 */
function grantedRoots(
  { signals, judge }: ChainContext,
  { source, places, project }: Choice,
): readonly Root[] {
  const { platform } = judge.around;
  const toRoot = (path: string, name: string, kind: Root['kind']): Root => ({
    uri: toFileUri(path, { platform }),
    path,
    name,
    kind,
  });
  if (source.upward === true) return [toRoot(project.location, project.name, 'directory')];
  if (source.bounded !== true)
    return places.map(({ path, name, kind }) => toRoot(path, name ?? basename(path), kind));
  if (signals.roots?.state === 'listed') return signals.roots.roots;
  return signals.ceiling ?? [];
}
