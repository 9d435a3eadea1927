import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { escapeText } from '../../base/quote.ts';
import { longestTimer } from '../../base/wait.ts';
import { requireOwnPlace } from '../../boundary/look/other-writer.ts';
import { openRootStore } from '../../client/store/open-root-store.ts';
import type { StoreEvent } from '../../client/store/store-core.ts';
import type { RootStatus } from '../../client/watch/liveness.ts';
import type { ContentChange } from '../../client/watch/root-content.ts';
import { watchStore } from '../../client/watch/watch-roots.ts';
import { findDirectories } from '../../config/own-directory.ts';
import type { RootIssue } from '../../path/root-issue.ts';
import { ownStoreFile } from '../../serve/settings/own-store-file.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { untilEnded } from '../../serve/until-ended.ts';
import { announce, type ProcessFacts } from '../../web/processes/running.ts';
import { createPaint } from '../terminal/paint.ts';

export interface WatchRootsFlags {
  readonly content: boolean;
  readonly seconds?: number;
  readonly json: boolean;
}

/** Prints changes to the stored roots until the process is ended. */
export async function runWatchRoots(this: CliContext, flags: WatchRootsFlags): Promise<void> {
  await whileAnnounced(this, 'watch', () => watch(this, flags));
}

async function watch(context: CliContext, flags: WatchRootsFlags): Promise<void> {
  const printer = createWatchPrinter(context, flags.json);
  await using store = await openRootStore({ file: ownStoreFile(context) });
  await using watching = watchStore(store, {
    onChange: printer.status,
    onIssue: printer.issue,
    ...(flags.content && { content: { onContent: printer.content } }),
  });
  store.subscribe(printer.store);
  await watching.watch.ready;
  printer.ready(watching.watch.statuses.length);
  const over = new AbortController();
  const milliseconds = flags.seconds === undefined ? longestTimer : flags.seconds * 1_000;
  const late = wait(milliseconds, undefined, { signal: over.signal }).catch(() => undefined);
  await untilEnded(late);
  over.abort();
}

interface WatchPrinter {
  /** Called when the watch is complete: no later change is missed. */
  readonly ready: (roots: number) => void;
  readonly status: (status: RootStatus) => void;
  readonly issue: (issue: RootIssue) => void;
  readonly content: (change: ContentChange) => void;
  readonly store: (event: StoreEvent) => void;
}

function createWatchPrinter(context: CliContext, json: boolean): WatchPrinter {
  const { stdout } = context.process;
  const paint = createPaint(context);
  const tell = (event: object, text: string): void => {
    const time = new Date().toISOString();
    stdout.write(json ? `${JSON.stringify({ time, ...event })}\n` : `${paint('dim', time)}  ${text}\n`);
  };
  return {
    ready: (roots) =>
      tell({ event: 'watching', roots }, `watching  ${roots} ${roots === 1 ? 'root' : 'roots'}`),
    status({ root, state, usable, reason, movedTo }) {
      const mark = paint(usable ? 'green' : 'red', state);
      const event = { event: 'status', root: root.name, path: root.path, state, usable, reason };
      const now = movedTo === undefined ? '' : `; it is ${escapeText(movedTo)} now`;
      tell(
        { ...event, ...(movedTo !== undefined && { movedTo }) },
        `${mark}  ${escapeText(root.name)}: ${reason}${now}`,
      );
    },
    issue: ({ code, message, hint }) => tell({ event: 'issue', code, message, hint }, `${message}. ${hint}`),
    content({ root, paths, complete }) {
      const more = complete ? '' : ' and more';
      const text = `changed  ${escapeText(root.name)}: ${paths.map(escapeText).join(', ')}${more}`;
      tell({ event: 'content', root: root.name, paths, complete }, text);
    },
    store({ snapshot: { revision, roots }, damage }) {
      if (damage !== undefined) return tell({ event: 'damage', message: damage.message }, damage.message);
      const names = roots.map(({ name }) => name);
      tell(
        { event: 'store', revision, roots: names },
        `stored  ${names.map(escapeText).join(', ') || 'none'}`,
      );
    },
  };
}

const { version } = createRequire(import.meta.url)('rootward/package.json') as { version: string };

/**
 * Announces a long-running command so that the page shows it; without a writable state directory it runs
 * unannounced.
 */
export async function whileAnnounced(
  { cwd, process: { env = {} } }: CliContext,
  command: ProcessFacts['command'],
  run: () => Promise<void>,
): Promise<void> {
  const facts: ProcessFacts = { command, version, directory: cwd, connections: [] };
  const { state } = findDirectories(env);
  requireOwnPlace(state);
  const announced = await announce(state, facts).catch(() => undefined);
  try {
    await run();
  } finally {
    await announced?.close();
  }
}
