import type { Operation } from '../boundary/operation.ts';
import { findRootIssues } from '../client/find-root-issues.ts';
import type { RootFinding } from '../client/root-finding.ts';
import type { NewRoot, RootStore } from '../client/root-store.ts';
import type { StoredRoot } from '../client/stored-root.ts';
import type { PresetName } from '../policy/presets.ts';
import { parsePolicy } from '../policy/policy.ts';
import type { CliContext } from './command-context.ts';
import { exitCode } from './exit-code.ts';
import { fromTerminal } from './from-terminal.ts';
import { changeStore } from './own-store.ts';
import { printRoots } from './print-roots.ts';
import { refuseUsage } from './refuse-usage.ts';

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

/** Keeps places as roots, after a look at what speaks against it. All of them, or none. */
export async function runAddRoots(this: CliContext, flags: AddRootsFlags, ...paths: string[]): Promise<void> {
  const { name, force, missing, json } = flags;
  if (name !== undefined && paths.length > 1) return refuseUsage(this, '--name is for one root at a time');
  const permissions = permissionsOf(flags);
  const places = paths.map((path) => fromTerminal(this, path));
  await changeStore(this, async (store) => {
    const refused = await refusals(this, { store, places, missing });
    if (refused > 0 && !force) {
      this.process.stderr.write('Nothing was added. To keep it all the same, say --force\n');
      this.process.exitCode = exitCode.refused;
      return;
    }
    const rest = { mustExist: !missing && !force, ...(name !== undefined && { name }), ...permissions };
    const added = await addAll(
      store,
      places.map((path) => Object.assign({ path }, rest)),
    );
    printRoots(this, { verb: 'added', roots: added, json });
  });
}

function permissionsOf({ preset, allow, ask, deny }: AddRootsFlags): Omit<NewRoot, 'path'> {
  const permissions = {
    ...(preset !== undefined && { preset }),
    ...(allow !== undefined && { allow }),
    ...(ask !== undefined && { ask }),
    ...(deny !== undefined && { deny }),
  };
  // A mistake in them is a mistake on the command line, before anything is looked at.
  parsePolicy(permissions);
  return permissions;
}

interface Wish {
  readonly store: RootStore;
  readonly places: readonly string[];
  readonly missing: boolean;
}

/** Prints what speaks against it, and tells how much of that forbids it. */
async function refusals({ process: { stderr } }: CliContext, wish: Wish): Promise<number> {
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

async function addAll(store: RootStore, roots: readonly NewRoot[]): Promise<readonly StoredRoot[]> {
  const added: StoredRoot[] = [];
  for (const root of roots) added.push(await store.add(root));
  return added;
}
