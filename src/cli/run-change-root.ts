import type { Operation } from '../boundary/operation.ts';
import type { RootPermissionChange } from '../client/root-store.ts';
import { escapeText } from '../quote.ts';
import type { CliContext } from './command-context.ts';
import { changeStore, requireStored } from './own-store.ts';
import { printRoots } from './print-roots.ts';
import { refuseUsage } from './refuse-usage.ts';

export interface ChangeFlags {
  readonly json: boolean;
}

export interface PermissionFlags extends ChangeFlags {
  readonly glob?: readonly string[];
  readonly server?: string;
}

export interface LimitFlags extends ChangeFlags {
  readonly all: boolean;
}

/** Takes roots away, with every permission and answer that goes with them. All of them, or none. */
export async function runRemoveRoots(
  this: CliContext,
  flags: ChangeFlags,
  ...names: string[]
): Promise<void> {
  await changeStore(this, async (store) => {
    const roots = names.map((which) => requireStored(this, store, which));
    for (const { path } of new Set(roots)) await store.remove(path);
    printRoots(this, { verb: 'removed', roots, json: flags.json });
  });
}

export async function runRenameRoot(
  this: CliContext,
  flags: ChangeFlags,
  which: string,
  name: string,
): Promise<void> {
  await changeStore(this, async (store) => {
    const renamed = await store.rename(requireStored(this, store, which).path, name);
    printRoots(this, { verb: 'renamed', roots: [renamed], json: flags.json });
  });
}

export async function runAllowRoot(
  this: CliContext,
  flags: PermissionFlags,
  which: string,
  operations?: readonly Operation[],
): Promise<void> {
  await changePermissions(this, { verb: 'allow', which, change: changeOf(flags, operations), flags });
}

export async function runDenyRoot(
  this: CliContext,
  flags: PermissionFlags,
  which: string,
  operations?: readonly Operation[],
): Promise<void> {
  await changePermissions(this, { verb: 'deny', which, change: changeOf(flags, operations), flags });
}

/** Names the only roots that a server sees. */
export async function runLimitServer(
  this: CliContext,
  { all, json }: LimitFlags,
  server: string,
  ...names: string[]
): Promise<void> {
  if (all && names.length > 0) return refuseUsage(this, '--all means every root; name none beside it');
  await changeStore(this, async (store) => {
    const roots = names.map((which) => requireStored(this, store, which));
    await store.limit(server, all ? undefined : roots.map(({ path }) => path));
    printRoots(this, {
      verb: `shown to ${escapeText(server)}`,
      roots: all ? store.list() : roots,
      server,
      json,
    });
  });
}

interface PermissionWish {
  readonly verb: 'allow' | 'deny';
  readonly which: string;
  readonly change: RootPermissionChange;
  readonly flags: PermissionFlags;
}

async function changePermissions(
  context: CliContext,
  { verb, which, change, flags }: PermissionWish,
): Promise<void> {
  if (Object.keys(change).length === 0)
    return refuseUsage(
      context,
      `Say what to ${verb}: operations such as read,write, a --glob, or a --server`,
    );
  await changeStore(context, async (store) => {
    const changed = await store[verb](requireStored(context, store, which).path, change);
    printRoots(context, { verb: 'changed', roots: [changed], server: flags.server, json: flags.json });
  });
}

function changeOf(
  { glob, server }: PermissionFlags,
  operations: readonly Operation[] | undefined,
): RootPermissionChange {
  return {
    ...(operations !== undefined && { operations }),
    ...(glob !== undefined && { globs: glob }),
    ...(server !== undefined && { server }),
  };
}
