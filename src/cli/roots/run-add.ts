import { quote } from '../../base/quote.ts';
import type { Operation } from '../../boundary/step/operation.ts';
import type { RootFinding } from '../../client/discover/root-finding.ts';
import type { NewRoot, RootStore } from '../../client/store/root-store.ts';
import type { StoredRoot } from '../../client/store/stored-root.ts';
import { RootwardError } from '../../errors.ts';
import { isFileUri, readFileUri } from '../../path/file-uri.ts';
import type { PresetName } from '../../policy/rules/permission-presets.ts';
import { parsePolicy } from '../../policy/rules/policy.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { exitCode, refuseUsage } from '../terminal/exit-code.ts';
import { fromTerminal } from '../terminal/here.ts';
import { printRoots } from './format-roots.ts';
import { changeStore } from './own-store.ts';

export interface AddRootsFlags {
  readonly name?: string;
  readonly preset?: PresetName;
  readonly allow?: readonly Operation[];
  readonly ask?: readonly Operation[];
  readonly deny?: readonly string[];
  readonly missing: boolean;
  readonly force: boolean;
  readonly json: boolean;
}

/** Adds roots after checking them for problems: all of them or none. */
export async function runAddRoots(this: CliContext, flags: AddRootsFlags, ...paths: string[]): Promise<void> {
  const { name, force, missing, json } = flags;
  if (name !== undefined && paths.length > 1) return refuseUsage(this, '--name is for one root at a time');
  const permissions = permissionsOf(flags);
  const places = distinct(paths.map((path) => fromTerminal(this, path)));
  await changeStore(this, async (store) => {
    const kept = places.flatMap((path) => store.get(path) ?? []);
    if (kept.length > 0) return refuseKept(this, kept);
    const rest = {
      mustExist: !missing && !force,
      force,
      ...(name !== undefined && { name }),
      ...permissions,
    };
    const wanted = places.map((path) => Object.assign({ path }, rest));
    const roots = await addApproved(this, { store, wanted, flags });
    if (roots.length > 0) return printRoots(this, { verb: 'added', roots, json });
    this.process.exitCode = exitCode.refused;
  });
}

interface Addition {
  readonly store: RootStore;
  readonly wanted: readonly NewRoot[];
  readonly flags: AddRootsFlags;
}

/** Adds the roots if nothing speaks against it. Returns no root if something does, and has printed it then. */
async function addApproved(
  context: CliContext,
  { store, wanted, flags }: Addition,
): Promise<readonly StoredRoot[]> {
  try {
    return await store.addAll(wanted, (findings) => printFindings(context, findings, flags));
  } catch (error) {
    const isNoPlace = RootwardError.is(error, 'INVALID_URI') || RootwardError.is(error, 'INVALID_PATH');
    if (!isNoPlace || flags.force) throw error;
    context.process.stderr.write(`error: ${error.message}\n  ${error.hint}\nNothing was added\n`);
    return [];
  }
}

/** Removes places that are named twice, by path or by URI. */
function distinct(places: readonly string[]): readonly string[] {
  const byPath = places.map((place) => {
    const path = isFileUri(place) ? readFileUri(place, {}) : place;
    return [typeof path === 'string' ? path : place, place] as const;
  });
  return [...new Map(byPath.toReversed()).values()].toReversed();
}

/**
 * Refuses roots that are already stored, even with `--force`: a root with two entries would have two sets of
 * permissions.
 */
function refuseKept({ process }: CliContext, kept: readonly StoredRoot[]): void {
  for (const { path, name } of kept) {
    const as = `it is already stored as ${quote(name)}`;
    process.stderr.write(`error: Cannot add ${quote(path)}: ${as}\n`);
  }
  process.stderr.write('  Change it with `rootward roots allow`, `deny` or `rename`. Nothing was added\n');
  process.exitCode = exitCode.refused;
}

function permissionsOf({ preset, allow, ask, deny }: AddRootsFlags): Omit<NewRoot, 'path'> {
  const permissions = {
    ...(preset !== undefined && { preset }),
    ...(allow !== undefined && { allow }),
    ...(ask !== undefined && { ask }),
    ...(deny !== undefined && { deny }),
  };
  // Invalid permissions are a usage error, reported before anything is looked at.
  parsePolicy(permissions);
  return permissions;
}

/** Problems that end once the place exists. */
const ofMissing: ReadonlySet<RootFinding['code']> = new Set(['missing', 'unmounted']);

/** Prints the problems, and the flag that overrides them. Returns whether the roots may be added. */
function printFindings(
  { process: { stderr } }: CliContext,
  findings: readonly RootFinding[],
  { missing, force }: AddRootsFlags,
): boolean {
  const serious = findings.filter(
    ({ severity, code }) => severity !== 'note' && !(missing && ofMissing.has(code)),
  );
  for (const { severity, message, hint } of serious) stderr.write(`${severity}: ${message}\n  ${hint}\n`);
  const errors = serious.filter(({ severity }) => severity === 'error');
  if (force || errors.length === 0) return true;
  const flag = errors.every(({ code }) => ofMissing.has(code)) ? '--missing' : '--force';
  stderr.write(`Nothing was added. To add it in spite of this, use ${flag}\n`);
  return false;
}
