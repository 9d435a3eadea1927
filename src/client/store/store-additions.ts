import { resolve } from 'node:path';
import { findRealPlace } from '../../boundary/look/real-place.ts';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { RootwardError } from '../../errors.ts';
import type { Root } from '../../path/root.ts';
import {
  type InspectionContext,
  inspectRoots,
  judgeRoot,
  prepareInspection,
} from '../discover/find-root-issues.ts';
import type { RootFinding } from '../discover/root-finding.ts';
import { ownPlaces } from '../discover/sensitive-places.ts';
import type { ChangeLog } from './change-log.ts';
import { parseNewRoot } from './parse-new-root.ts';
import type { StoreContext } from './parse-store.ts';
import type { NewRoot, RootStore } from './root-store.ts';
import { type RootAddition, addRecords } from './store-changes.ts';
import type { StoreCore } from './store-core.ts';

export interface AdditionParts {
  readonly core: StoreCore;
  readonly context: StoreContext;
  readonly log: ChangeLog;
  readonly now: () => Date;
  readonly get: RootStore['get'];
}

/** Adds roots to a store: checks them first, then adds all in one change. */
export function createAdditions(parts: AdditionParts): Pick<RootStore, 'add' | 'addAll'> {
  const { core, context, log, get } = parts;
  const inspection = createInspection(context.file);
  const prepare = createPreparation(parts, createUnsafeRefusal(inspection));
  const addAll: RootStore['addAll'] = async (roots, approve) => {
    const wanted = roots.map((root) => parseWanted(root, context));
    const findings = approve && (await findAgainst(wanted, core, await inspection()));
    if (findings !== undefined && !(await approve?.(findings))) {
      await recordRefused(log, wanted, findings);
      return [];
    }
    const additions: RootAddition[] = [];
    for (const one of wanted) additions.push(await recordingRefusal(log, one, () => prepare(one)));
    // Each root gets its own audit entry around the single change.
    const add = additions.reduceRight(
      (run, { record: { path } }) =>
        () =>
          log.around('add', { path, root: get(path) }, run),
      () => core.change(addRecords(additions)),
    );
    const step = await add();
    return step?.after.snapshot.roots.slice(-additions.length) ?? [];
  };
  return {
    addAll,
    async add(root) {
      const [added] = await addAll([root]);
      if (added === undefined) throw new Error('a change that adds a root has added none');
      return added;
    },
  };
}

/** Records which of the roots were refused; the others were not added because all are added or none. */
async function recordRefused(
  log: ChangeLog,
  wanted: readonly WantedRoot[],
  findings: readonly RootFinding[],
): Promise<void> {
  for (const [index, { root }] of wanted.entries()) {
    const against = findings.find((finding) => finding.index === index && finding.severity === 'error');
    await log.recordRefusal(root.path, against === undefined ? notAlone : stateOf(against));
  }
}

const notAlone = 'it was to be added together with another one that was refused, or not approved';

async function recordingRefusal<Result>(
  log: ChangeLog,
  { root }: WantedRoot,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (RootwardError.is(error)) await log.recordRefusal(root.path, error.message);
    throw error;
  }
}

interface WantedRoot {
  readonly given: NewRoot;
  readonly root: Root;
}

function parseWanted(root: NewRoot | string, context: StoreContext): WantedRoot {
  const given = typeof root === 'string' ? { path: root } : root;
  return { given, root: parseNewRoot(given, context) };
}

/** Finds reasons against the new roots, also compared with those that are stored. */
async function findAgainst(
  wanted: readonly WantedRoot[],
  { snapshot }: StoreCore,
  inspection: InspectionContext,
): Promise<readonly RootFinding[]> {
  const [known, added] = [snapshot.roots, wanted.map(({ root }) => root)];
  const entries = [...known, ...added].map(({ uri, name }) => ({ uri, name }));
  const findings = await inspectRoots(entries, inspection);
  return findings
    .filter(({ index }) => index >= known.length)
    .map((finding) => Object.assign({}, finding, { index: finding.index - known.length }));
}

function createPreparation(
  { now }: AdditionParts,
  refuseUnsafe: RefuseUnsafeRoot,
): (wanted: WantedRoot) => Promise<RootAddition> {
  return async ({ given, root }) => {
    const { path, name } = root;
    const { path: _path, mustExist = true, force = false, ...rest } = given;
    const real = mustExist ? await requireExisting(path) : await guessPlace(path);
    if (!force) await refuseUnsafe(root, real);
    return { record: { path, added: now().toISOString(), ...rest }, suggestedName: name };
  };
}

/** Refuses a root that does not exist or cannot be opened. Returns its real path. */
async function requireExisting(path: string): Promise<string> {
  await using boundary = await openBoundary(path);
  return boundary.spellings.at(-1) ?? path;
}

/** Returns the real path a missing root would have, as far as it can be resolved. */
async function guessPlace(path: string): Promise<string> {
  try {
    return await findRealPlace(path);
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    return path;
  }
}

/** Milliseconds for which the sensitive places of this machine are cached. */
const lasts = 10_000;

/** Findings that prevent adding a root without force. */
const unsafe: ReadonlySet<RootFinding['code']> = new Set(['sensitive', 'too-broad']);

/** Refuses a root by its real path. */
export type RefuseUnsafeRoot = (root: Root, real: string) => Promise<void>;

/** Creates the data that roots for the store in `file` are compared with; looking at the disk takes a while. */
export function createInspection(file: string): () => Promise<InspectionContext> {
  let known: { readonly inspection: Promise<InspectionContext>; readonly until: number } | undefined;
  return () => {
    const now = performance.now();
    if (known === undefined || known.until < now) {
      known = { inspection: prepareInspection({ own: [...ownPlaces(), resolve(file)] }), until: now + lasts };
    }
    return known.inspection;
  };
}

/**
 * Creates a check that refuses a root which is too broad or sensitive. It does not check whether the root exists.
 *
 * @throws {RootwardError} `UNSAFE_ROOT`
 */
export function createUnsafeRefusal(inspection: () => Promise<InspectionContext>): RefuseUnsafeRoot {
  return async (root, real) => {
    const findings = judgeRoot({ root, index: 0, real }, await inspection());
    const finding = findings.find(({ code }) => unsafe.has(code));
    if (finding === undefined) return;
    throw new RootwardError('UNSAFE_ROOT', {
      path: root.path,
      reason: stateOf(finding),
      remedy: finding.hint,
    });
  };
}

/** Returns the message of a finding without the name of the root. */
function stateOf({ message }: RootFinding): string {
  return message.replace(/^.*?": /, '');
}
