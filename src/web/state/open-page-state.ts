import { ChangeSignal } from '../../audit/change-signal.ts';
import { openFileSink } from '../../audit/file-sink.ts';
import { readLog } from '../../audit/read-log.ts';
import type { Boundary } from '../../boundary/boundary.ts';
import { openRootStore } from '../../client/store/open-root-store.ts';
import type { RootStore } from '../../client/store/root-store.ts';
import { openOwnDirectory } from '../../config/own-directory.ts';
import { findRunning } from '../processes/find-running.ts';
import { announce, type ProcessAnnouncement } from '../processes/running.ts';
import type { AboutView, AnnouncedProcess, PageEvent, ProcessView } from '../wire/wire.ts';
import { AuditTail } from './audit-tail.ts';
import { openCeiling } from './ceiling.ts';
import { choicesFor } from './choices-for.ts';
import type { PageState } from './page-state.ts';
import { createRemovedRoots } from './removed-roots.ts';
import { openRootViews } from './root-views.ts';

export interface PageStateOptions {
  readonly file?: string;
  readonly log: string;
  readonly state: string;
  readonly tops: readonly string[];
  readonly bounded?: boolean;
  readonly version: string;
}

/** The page state without the fields that the page's server adds. */
export interface OpenPageState extends Omit<PageState, 'about' | 'setWindows' | 'connect'>, AsyncDisposable {
  readonly about: Omit<AboutView, 'again' | 'connect'>;
  /** Announces how many pages are open, so that a process with a question knows where to ask. */
  readonly updateProcess: ProcessAnnouncement['update'];
  close(): Promise<void>;
}

/** Opens everything that the page shows, and reports each change. */
export async function openPageState(
  options: PageStateOptions,
  publish: (event: PageEvent) => void,
): Promise<OpenPageState> {
  const closers = new Closers();
  try {
    return await open(options, publish, closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
}

async function open(
  { log, state: directory, tops, bounded = false, version, file }: PageStateOptions,
  publish: (event: PageEvent) => void,
  closers: Closers,
): Promise<OpenPageState> {
  const logs = closers.add(await openOwnDirectory(log));
  const sink = await openFileSink(logs);
  closers.add({ close: async () => sink.close?.() });
  const own = { audit: sink, caller: 'rootward web', ...(file === undefined ? {} : { file }) };
  const store = closers.add(await openRootStore(own));
  const roots = closers.add(openRootViews(store, (revision) => publish({ kind: 'roots', revision })));
  const ceiling = closers.add(await openCeiling({ tops, bounded }));
  const state = closers.add(await openOwnDirectory(directory));
  const facts = { command: 'web', version, directory: process.cwd(), connections: [] } as const;
  const announcement = closers.add(await announce(directory, facts));
  const audit = new AuditTail();
  let running: readonly AnnouncedProcess[] = [];
  closers.add(
    follow((signal) => [
      followAudit(logs, audit, { signal, publish }),
      followRunning(state, signal, (now) => {
        running = now;
        publish({ kind: 'running' });
      }),
    ]),
  );
  const close = (): Promise<void> => closers.close();
  return {
    store,
    roots,
    ceiling,
    state,
    audit,
    about: { version, tops: ceiling.tops, bounded, log },
    removed: createRemovedRoots(store),
    running: () => running.map((one) => withChoices(one, store)),
    updateProcess: (change) => announcement.update(change),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function withChoices(one: AnnouncedProcess, store: RootStore): ProcessView {
  return {
    ...one,
    questions: one.questions.map((asked) => ({ ...asked, choices: choicesFor(asked, store) })),
  };
}

interface Closer {
  close(): Promise<void>;
}

/** Closes what was opened, in reverse order, once. */
class Closers {
  readonly #opened: Closer[] = [];

  add<One extends Closer>(one: One): One {
    this.#opened.push(one);
    return one;
  }

  async close(): Promise<void> {
    for (let last = this.#opened.pop(); last !== undefined; last = this.#opened.pop()) await last.close();
  }
}

/** Runs loops until it is closed. */
function follow(start: (signal: AbortSignal) => readonly Promise<void>[]): Closer {
  const stop = new AbortController();
  const loops = Promise.allSettled(start(stop.signal));
  return {
    async close() {
      stop.abort();
      await loops;
    },
  };
}

interface FollowOptions {
  readonly signal: AbortSignal;
  readonly publish: (event: PageEvent) => void;
}

/** Milliseconds within which new lines are combined into one event. */
const settleFor = 150;

async function followAudit(
  logs: Boundary,
  tail: AuditTail,
  { signal, publish }: FollowOptions,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const entries = readLog(logs, { follow: true, signal });
  try {
    for await (const entry of entries) {
      tail.add(entry);
      tail.skipped = entries.skipped;
      timer ??= setTimeout(() => {
        timer = undefined;
        publish({ kind: 'audit', last: tail.last });
      }, settleFor).unref();
    }
  } finally {
    clearTimeout(timer);
  }
}

async function followRunning(
  state: Boundary,
  signal: AbortSignal,
  found: (running: readonly AnnouncedProcess[]) => void,
): Promise<void> {
  const changes = new ChangeSignal(state, signal);
  let before = '';
  try {
    do {
      const running = await findRunning(state);
      const text = JSON.stringify(running);
      if (text !== before) found(running);
      before = text;
    } while (await changes.next());
  } finally {
    changes.close();
  }
}
