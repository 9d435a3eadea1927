import { basename, dirname, parse } from 'node:path';
import type { MountPoint } from '../../boundary/system/mount-table.ts';
import { createRootIssue, type RootIssue } from '../../path/root-issue.ts';
import type { Root } from '../../path/root.ts';
import { matchMarker } from '../../workspace/ecosystems/markers.ts';
import {
  isReplaced,
  isUsable,
  judgeLiveness,
  type RootObservation,
  type RememberedPlace,
  type RootStatus,
} from './liveness.ts';
import { listMarkers, observeRoot, WatchMounts } from './observe-root.ts';
import { createIgnoreTest, type IgnoreTest, RootContent } from './root-content.ts';
import type { RootWatch, WatchRootsOptions } from './watch-contract.ts';
import { type NameInterest, interestsOf, type WatchGap, WatchPoints } from './watch-points.ts';
import { WatchQueue } from './watch-queue.ts';

/** A watched root. */
interface WatchedRoot {
  readonly root: Root;
  status?: RootStatus;
  /** From the last time it was usable. */
  memory?: RememberedPlace;
  mount?: MountPoint | undefined;
  gap?: WatchGap | undefined;
  content?: RootContent;
}

export class RootWatcher implements RootWatch {
  readonly #options: WatchRootsOptions;
  readonly #entries = new Map<string, WatchedRoot>();
  readonly #points = new WatchPoints((keys) => this.#touch(keys));
  readonly #queue = new WatchQueue((key) => this.#look(key));
  readonly #mounts = new WatchMounts();
  readonly #dirty = new Set<string>();
  readonly #closing = new AbortController();
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #ignored: IgnoreTest | undefined;
  /** Mounts with a pending look. Other roots on them are not looked at, because each look holds a thread. */
  readonly #silent = new Map<string, Promise<unknown>>();
  #settling: NodeJS.Timeout | undefined;
  readonly ready: Promise<void>;

  constructor(roots: readonly Root[], options: WatchRootsOptions) {
    const { content, mountMilliseconds = 2_000, pollMilliseconds = 5_000, signal } = options;
    this.#options = options;
    this.#ignored = content && createIgnoreTest(content);
    this.#timers = [
      setInterval(() => void this.#checkMounts(), mountMilliseconds).unref(),
      setInterval(() => this.#poll(), pollMilliseconds).unref(),
    ];
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.ready = this.add(roots);
    if (signal?.aborted === true) void this.close();
  }

  get statuses(): readonly RootStatus[] {
    return [...this.#entries.values()].flatMap(({ status }) => status ?? []);
  }

  get directories(): number {
    return this.#points.size;
  }

  status(path: string): RootStatus | undefined {
    return this.#entries.get(path)?.status;
  }

  async add(roots: readonly Root[]): Promise<void> {
    const added = roots.filter(({ path }) => !this.#entries.has(path) && !this.#closing.signal.aborted);
    for (const root of added) this.#entries.set(root.path, { root });
    await Promise.all(added.map(({ path }) => this.#queue.push(path)));
    await Promise.all(added.flatMap(({ path }) => this.#entries.get(path)?.content?.ready ?? []));
  }

  remove(paths: readonly string[]): void {
    for (const path of paths) {
      this.#entries.get(path)?.content?.close();
      this.#entries.delete(path);
      this.#points.delete(path);
    }
  }

  async look(): Promise<void> {
    await this.#mounts.read(true);
    await Promise.all([...this.#entries.keys()].map((key) => this.#queue.push(key)));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#settling);
    this.#points.close();
    for (const { content } of this.#entries.values()) content?.close();
    await this.#queue.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  readonly #onAbort = (): void => void this.close();

  /** Schedules a look at these roots. One rename causes several events, so it waits for the rest of them. */
  #touch(keys: Iterable<string>): void {
    if (this.#closing.signal.aborted) return;
    for (const key of keys) this.#dirty.add(key);
    if (this.#dirty.size === 0) return;
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      for (const key of this.#dirty) void this.#queue.push(key);
      this.#dirty.clear();
    }, this.#options.settleMilliseconds ?? 100).unref();
  }

  /** Looks at roots without events: those that cannot be watched, and those on a network that may come back. */
  #poll(): void {
    const isQuiet = ({ gap, status }: WatchedRoot): boolean =>
      gap !== undefined || status?.state === 'unmounted';
    this.#touch([...this.#entries].filter(([, entry]) => isQuiet(entry)).map(([key]) => key));
  }

  /** Looks at the roots whose mount has changed. */
  async #checkMounts(): Promise<void> {
    const mounts = await this.#mounts.readChanged();
    if (mounts === undefined) return;
    if (mounts.revision === undefined) return this.#touch(this.#onOtherMounts());
    for (const [key, { root, status, memory, mount }] of this.#entries) {
      if (status === undefined) continue;
      const now = await mounts.mountOf(memory?.real ?? root.path);
      if (now?.point !== mount?.point || now?.device !== mount?.device) this.#touch([key]);
    }
  }

  /** Returns the roots that may come or go with a mount, for systems without a mount table. */
  #onOtherMounts(): readonly string[] {
    return [...this.#entries]
      .filter(([key, { status, mount }]) => status?.usable !== true || mount?.point !== parse(key).root)
      .map(([key]) => key);
  }

  async #look(key: string): Promise<void> {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#closing.signal.aborted) return;
    // Watches are set before the look, so that a change in between is seen by one of them.
    this.#watch(key, entry);
    const observation = await this.#observe(key, entry);
    const { look } = observation;
    const markers = 'refused' in look ? [] : await listMarkers(key, this.#closing.signal).catch(() => []);
    if (this.#closing.signal.aborted || this.#entries.get(key) !== entry) return;
    // If the system disk itself seems silent, this process is blocked: that is no news about the root.
    if ('late' in look && entry.memory?.mount?.point === parse(key).root) return;
    this.#settle(entry, observation, markers);
    this.#watch(key, entry);
  }

  async #observe(key: string, { memory }: WatchedRoot): Promise<RootObservation> {
    const { lookMilliseconds: milliseconds = 5_000 } = this.#options;
    const point = memory?.mount?.point ?? key;
    const late = this.#silent.get(point);
    if (late !== undefined) return { look: { refused: 'silent', late }, path: key, mount: memory?.mount };
    const { signal } = this.#closing;
    const observation = await observeRoot(key, memory, { mounts: this.#mounts, milliseconds, signal });
    const { look } = observation;
    if ('late' in look && look.late !== undefined) this.#awaitLate(point, look.late);
    return observation;
  }

  #awaitLate(point: string, late: Promise<unknown>): void {
    const recheck = (): void => {
      this.#silent.delete(point);
      this.#touch(this.#entries.keys());
    };
    this.#silent.set(point, late);
    late.then(recheck, recheck);
  }

  /** Watches every name on the path to the root, in both spellings, and the names of markers in it. */
  #watch(key: string, entry: WatchedRoot): void {
    const { memory, status, gap: before } = entry;
    const real = memory === undefined || memory.real === key ? [] : interestsOf(memory.real);
    const moved = status?.movedTo === undefined ? [] : [interestIn(status.movedTo)];
    const markers: NameInterest = { directory: key, name: isMarkerName };
    entry.gap = this.#points.set(key, [...interestsOf(key), ...real, ...moved, markers]);
    if (entry.gap === undefined || before !== undefined) return;
    // One message for all roots: the limit applies to the whole process.
    const isFirst = ![...this.#entries.values()].some((other) => other !== entry && other.gap === entry.gap);
    if (entry.gap === 'permission' || isFirst) this.#tell(() => this.#options.onIssue?.(gapIssue(entry)));
  }

  #settle(entry: WatchedRoot, observation: RootObservation, markers: readonly string[]): void {
    const { root, status: before, memory } = entry;
    const { look, mount } = observation;
    const verdict = judgeLiveness(memory, before, observation);
    const usable = isUsable(verdict.state);
    const status: RootStatus = { root, usable, markers: usable ? markers : [], ...verdict };
    const isOther = before?.usable !== usable || (usable && isReplaced(memory, look));
    entry.mount = mount;
    entry.status = status;
    if (usable && !('refused' in look)) {
      // The new real path has other names in it. They are watched from now on, so look again.
      if (look.real !== (memory?.real ?? root.path)) this.#touch([root.path]);
      entry.memory = { ...look, mount };
    }
    if (isOther) this.#watchContent(entry);
    if (isOther || isNews(before, status)) this.#tell(() => this.#options.onChange?.(status, before));
  }

  /** Watches the content while the root is usable, and starts again if it was replaced. */
  #watchContent(entry: WatchedRoot): void {
    const { content: options, onIssue } = this.#options;
    const { status, memory, root } = entry;
    entry.content?.close();
    delete entry.content;
    if (options === undefined || this.#ignored === undefined) return;
    if (status?.usable !== true || memory === undefined) return;
    entry.content = new RootContent(root, memory, {
      ...options,
      ignored: this.#ignored,
      onIssue: (issue) => this.#tell(() => onIssue?.(issue)),
      onContent: (change) => this.#tell(() => options.onContent(change)),
    });
  }

  /** An error in a listener must not end the watch; it is rethrown outside. */
  #tell(call: () => void): void {
    try {
      call();
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

function isMarkerName(name: string): boolean {
  return matchMarker(name) !== undefined;
}

function interestIn(path: string): NameInterest {
  return { directory: dirname(path), name: basename(path) };
}

function gapIssue({ root, gap }: WatchedRoot): RootIssue {
  const details = gap === 'permission' ? { state: 'a directory above it cannot be watched' } : {};
  return createRootIssue('polled', root.uri, details);
}

function isNews(before: RootStatus | undefined, status: RootStatus): boolean {
  return (
    before === undefined ||
    before.state !== status.state ||
    before.reason !== status.reason ||
    before.movedTo !== status.movedTo ||
    before.markers.join('/') !== status.markers.join('/')
  );
}
