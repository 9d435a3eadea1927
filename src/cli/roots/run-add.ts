import { quote } from '../../base/quote.ts';
import type { Operation } from '../../boundary/step/operation.ts';
import { findRootIssues } from '../../client/discover/find-root-issues.ts';
import type { RootFinding } from '../../client/discover/root-finding.ts';
import type { NewRoot, RootStore } from '../../client/store/root-store.ts';
import type { StoredRoot } from '../../client/store/stored-root.ts';
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
    const refused = await refusals(this, { store, places, missing });
    if (refused > 0 && !force) {
      this.process.stderr.write('Nothing was added. To keep it all the same, say --force\n');
      this.process.exitCode = exitCode.refused;
      return;
    }
    const rest = {
      mustExist: !missing && !force,
      force,
      ...(name !== undefined && { name }),
      ...permissions,
    };
    const added = await store.addAll(places.map((path) => Object.assign({ path }, rest)));
    printRoots(this, { verb: 'added', roots: added, json });
  });
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
    const as = `it is kept already, as ${quote(name)}`;
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

interface RootsToAdd {
  readonly store: RootStore;
  readonly places: readonly string[];
  readonly missing: boolean;
}

/** Prints the problems and returns how many of them forbid adding the root. */
async function refusals({ process: { stderr } }: CliContext, wish: RootsToAdd): Promise<number> {
  const { store, places, missing } = wish;
  const known = store.list().map(({ uri, name }) => ({ uri, name }));
  const findings = await findRootIssues([...known, ...places]);
  const expected: ReadonlySet<RootFinding['code']> = new Set(missing ? ['missing', 'unmounted'] : []);
  const told = findings.filter(
    ({ index, severity, code }) => index >= known.length && severity !== 'note' && !expected.has(code),
  );
  for (const { severity, message, hint } of told) stderr.write(`${severity}: ${message}\n  ${hint}\n`);
  return told.filter(({ severity }) => severity === 'error').length;
}
