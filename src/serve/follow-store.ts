import { setTimeout } from 'node:timers/promises';
import type { AuditSink } from '../audit/sink.ts';
import { quote } from '../base/quote.ts';
import type { Operation } from '../boundary/step/operation.ts';
import { viewForServer } from '../client/expose/view-for-server.ts';
import { openRootStore } from '../client/store/open-root-store.ts';
import type { RootStore } from '../client/store/root-store.ts';
import type { Grant, StoredRoot, StoreSnapshot } from '../client/store/stored-root.ts';
import type { StoreWatch } from '../client/watch/watch-roots.ts';
import { RootwardError } from '../errors.ts';
import type { RootIssue } from '../path/root-issue.ts';
import type { Root } from '../path/root.ts';
import { createStorePolicy } from '../policy/rules/narrow.ts';
import type { OperatorWord } from '../server/settings/attach-options.ts';
import { possibleOperations } from './kit/instructions.ts';
import type { ServeRecords } from './open-records.ts';
import { ownStoreFile } from './settings/own-store-file.ts';
import type { CliContext, TerminalStream } from './settings/process-context.ts';
import type { ServeSettings } from './settings/serve-settings.ts';

/** The root store in the role of the operator. */
export interface FollowedStore extends AsyncDisposable {
  /** The present settings; `undefined` while the store has never held a root. */
  readonly operator: () => Promise<OperatorWord | undefined>;
  /** Operations that some stored root allows, as last read. */
  readonly operations: () => readonly Operation[];
  /** Calls the listener when the settings may have changed. Returns a function that stops it. */
  readonly subscribe: (changed: () => void) => () => void;
}

/**
 * Opens the store and follows it: added roots count at the next call, removed ones are gone by then. A store that
 * becomes empty leaves no roots, and not the project that would be found without a store. Vanished roots are
 * withdrawn and come back. A root that a person hides from this server stays hidden even if a client lists it; a
 * removed root is one about which the store says nothing.
 *
 * @throws {RootwardError} `STORE_DAMAGED`, `STORE_TOO_NEW`
 */
export async function followStore(
  context: CliContext,
  settings: Pick<ServeSettings, 'policy' | 'limited' | 'server'>,
  { audit, log }: Pick<ServeRecords, 'audit' | 'log'>,
): Promise<FollowedStore> {
  const store = await openIfPossible(ownStoreFile(context), audit);
  if (store === undefined) return noStore;
  const storeOperator = createStoreOperator(settings, createEndRecorder(audit, store));
  storeOperator.wordFor(store.snapshot());
  reportDamage(store, { stderr: context.process.stderr, log });
  const watching = watchStored(store, {
    changed: () => storeOperator.invalidate(),
    issue: ({ code, message, hint }) => log({ kind: 'watch', code, message, hint }),
  });
  return {
    // The system reports changes, but not always before the next call.
    operator: async () => storeOperator.wordFor(await store.refresh()),
    operations: () => storeOperator.operations(),
    subscribe: (changed) => store.subscribe(changed),
    async [Symbol.asyncDispose]() {
      await watching[Symbol.asyncDispose]();
      await store.close();
    },
  };
}

/** For a user without a home directory, as in a container, who has no store. */
const noStore: FollowedStore = {
  operator: () => Promise.resolve(undefined),
  operations: () => [],
  subscribe: () => () => undefined,
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

async function openIfPossible(file: string, audit: AuditSink): Promise<RootStore | undefined> {
  try {
    return await openRootStore({ file, audit, caller: 'rootward serve' });
  } catch (error) {
    if (RootwardError.is(error, 'NOT_A_DIRECTORY')) return undefined;
    throw error;
  }
}

/** Translates the store into operator settings. */
export interface StoreOperator {
  /** `undefined` while there was never a root. */
  wordFor(snapshot: StoreSnapshot): OperatorWord | undefined;
  /** Operations that some root allows, as last translated. */
  operations(): readonly Operation[];
  /** Forces new settings after the disk has changed, so that every connection looks again. */
  invalidate(): void;
}

/** Returns the same settings until the store, a grant's end or the disk changes them. */
export function createStoreOperator(
  settings: Pick<ServeSettings, 'policy' | 'limited' | 'server'>,
  onGrantEnd: GrantEndListener = () => {},
): StoreOperator {
  let known: { readonly snapshot: StoreSnapshot; readonly until: number } | undefined;
  let looked = Date.now();
  let word: OperatorWord | undefined;
  return {
    wordFor(snapshot) {
      const now = new Date();
      if (known?.snapshot === snapshot && now.getTime() < known.until) return word;
      for (const { root, grant } of endedGrants(snapshot, looked, now.getTime())) onGrantEnd(root, grant);
      looked = now.getTime();
      known = { snapshot, until: nextEnd(snapshot, now) };
      if (word === undefined && snapshot.roots.length === 0) return undefined;
      const views = viewForServer(snapshot, settings.server, now);
      const shown = views.filter((view) => view.shown);
      const permissions = new Map(shown.map((view) => [view.root.name, view.permissions]));
      word = {
        revision: (word?.revision ?? 0) + 1,
        ceiling: shown.map(({ root }) => toRoot(root)),
        policy: createStorePolicy(settings, permissions),
        // Hidden by the person, so it stays hidden even if a client lists it.
        refused: views.filter((view) => !view.shown).map(({ root }) => toRoot(root)),
      };
      return word;
    },
    operations: () => (word === undefined ? [] : possibleOperations(word.policy)),
    invalidate() {
      known = undefined;
    },
  };
}

/** Records the end of a grant. The store says nothing about it, because nothing in it has changed. */
function createEndRecorder(audit: AuditSink, store: Pick<RootStore, 'revision'>): GrantEndListener {
  const record = async ({ path, name }: StoredRoot, { server, answer }: Grant): Promise<void> =>
    audit.record({
      time: new Date().toISOString(),
      caller: 'rootward serve',
      event: 'withdrawal',
      operation: 'list',
      path,
      root: name,
      verdict: 'deny',
      rule: 'consent:ended',
      reason: `the answer "${answer}" for the server ${quote(server)} has expired`,
      outcome: 'done',
      duration: 0,
      revision: store.revision,
    });
  // No call waits for it.
  return (root, grant) => void record(root, grant).catch(() => undefined);
}

type GrantEndListener = (root: StoredRoot, grant: Grant) => void;

interface EndedGrant {
  readonly root: StoredRoot;
  readonly grant: Grant;
}

/** The grants that have expired between two looks, in milliseconds. */
function endedGrants({ roots }: StoreSnapshot, before: number, now: number): readonly EndedGrant[] {
  return roots.flatMap((root) =>
    root.grants
      .filter(({ until }) => until !== undefined && Date.parse(until) > before && Date.parse(until) <= now)
      .map((grant) => ({ root, grant })),
  );
}

/** When the first grant ends, in milliseconds. */
function nextEnd({ roots }: StoreSnapshot, now: Date): number {
  const ends = roots.flatMap(({ grants }) => grants.map(({ until }) => Date.parse(until ?? '')));
  return ends.filter((end) => end > now.getTime()).reduce((first, end) => Math.min(first, end), Infinity);
}

function toRoot({ uri, path, name, kind }: StoredRoot): Root {
  return { uri, path, name, kind };
}

/** The outputs for reports about the store file. */
export interface DamageOutputs extends Pick<ServeRecords, 'log'> {
  readonly stderr: TerminalStream;
}

/** Reports, once each, when the store file becomes unreadable and when it is repaired. */
export function reportDamage(store: Pick<RootStore, 'subscribe'>, { stderr, log }: DamageOutputs): void {
  let reported: RootwardError | undefined;
  store.subscribe(({ damage }) => {
    if (damage?.message === reported?.message) return;
    reported = damage;
    if (damage === undefined) {
      log({ kind: 'store', state: 'repaired' });
      return stderr.write('rootward: the stored roots can be read again and are used from now on\n');
    }
    const { code, message, hint } = damage;
    log({ kind: 'store', state: 'damaged', code, message, hint });
    stderr.write(`rootward: ${message}; the roots read before are still used. ${hint}\n`);
  });
}

export interface StoredRootListeners {
  /** Called when a root has vanished, come back, or been replaced. */
  readonly changed: () => void;
  readonly issue: (issue: RootIssue) => void;
}

/** Milliseconds for the first answers; watching starts after them. */
const calm = 300;

/** Watches the places of stored roots until it is closed. It starts in the background. */
export function watchStored(store: RootStore, { changed, issue }: StoredRootListeners): AsyncDisposable {
  const ending = new AbortController();
  const opening: Promise<StoreWatch | undefined> = setTimeout(calm, undefined, {
    ref: false,
    signal: ending.signal,
  })
    .then(async () => {
      const { watchStore } = await import('../client/watch/watch-roots.ts');
      const watching = watchStore(store, { onChange: changed, onIssue: issue });
      // Changes before the first look went unnoticed.
      void watching.watch.ready.then(changed);
      return watching;
    })
    .catch(() => undefined);
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await (await opening)?.close();
    },
  };
}
