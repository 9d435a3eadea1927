import { escapeText, quote } from '../../base/quote.ts';
import type { Operation } from '../../boundary/step/operation.ts';
import { viewForServer } from '../../client/expose/view-for-server.ts';
import type { RootPermissionChange, RootStore } from '../../client/store/root-store.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { exitCode, refuseUsage } from '../terminal/exit-code.ts';
import { type NamedView, printRoots } from './format-roots.ts';
import { changeStore, requireStored } from './own-store.ts';

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

/** Removes roots with their permissions and grants: all of them or none. */
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

/** Limits a server to the named roots. */
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
    const shown = all ? store.list() : roots;
    const who = escapeText(server);
    if (shown.length === 0 && !json) return this.process.stdout.write(`${who} sees no roots\n`);
    printRoots(this, { verb: `shown to ${who}`, roots: shown, view: viewOf(store, server), json });
  });
}

export interface ForgetFlags extends ChangeFlags {
  readonly server: string;
}

/** Forgets what a person answered about a server and a root, so that they are asked again. */
export async function runForgetAnswer(
  this: CliContext,
  { server, json }: ForgetFlags,
  which: string,
): Promise<void> {
  await changeStore(this, async (store) => {
    const { path, name, grants } = requireStored(this, store, which);
    if (!grants.some((grant) => grant.server === server)) {
      this.process.stderr.write(`Nothing was answered about ${quote(server)} and ${quote(name)}\n`);
      this.process.exitCode = exitCode.refused;
      return;
    }
    const root = await store.forget(path, server);
    printRoots(this, { verb: 'forgotten', roots: [root], view: viewOf(store, server), json });
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
    const { revision } = store;
    const changed = await store[verb](requireStored(context, store, which).path, change);
    const { server, json } = flags;
    printRoots(context, {
      verb: store.revision === revision ? 'unchanged' : 'changed',
      roots: [changed],
      view: server === undefined ? undefined : viewOf(store, server),
      json,
    });
  });
}

function viewOf(store: RootStore, server: string): NamedView {
  return { server, of: viewForServer(store.snapshot(), server, new Date()) };
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
