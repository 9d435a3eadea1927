import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { AuditNames, AuditPage, AuditPlot, NumberedEntry } from '../../wire/wire.ts';
import type { PageApi } from '../live/api.ts';
import { useModel } from '../live/use-model.ts';

export type AuditQuery = Readonly<Record<string, string>>;

/** The log under one filter, up to one entry. */
export interface AuditReading {
  readonly query: AuditQuery;
  readonly page: AuditPage;
  readonly plot: AuditPlot;
  readonly names: AuditNames;
}

/** Number of rows that are requested at once. */
const pageSize = 100;
const spans = '80';

/** Reads the visible part of the log. The old rows stay until the new ones arrive. */
export class AuditReader {
  readonly #api: Pick<PageApi, 'get'>;
  readonly #changed: () => void;
  #stop = new AbortController();
  #entries = new Map<number, NumberedEntry>();
  #asked = new Set<number>();
  /** The reading in progress, and whether to repeat it because something new came. */
  #running: { readonly key: string; again: boolean } | undefined;
  /** Undefined until the first response. */
  reading: AuditReading | undefined;

  constructor(api: Pick<PageApi, 'get'>, changed: () => void) {
    this.#api = api;
    this.#changed = changed;
  }

  /**
   * Starts again with another filter or new entries. `upto` limits it to entries so far. New entries that come while it
   * reads are read afterwards, once.
   */
  async begin(query: AuditQuery, upto?: number): Promise<void> {
    const asking: AuditQuery = { ...query, ...(upto === undefined ? {} : { upto: String(upto) }) };
    const key = JSON.stringify(asking);
    if (this.#running?.key === key) {
      this.#running.again = true;
      return;
    }
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const running = { key, again: false };
    this.#running = running;
    try {
      do {
        running.again = false;
        await this.#read(query, asking, signal);
      } while (running.again && !signal.aborted);
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
  }

  /** Returns an entry; undefined while it is loading. */
  entryAt(index: number): NumberedEntry | undefined {
    return this.#entries.get(index);
  }

  /** Requests the visible rows that are not loaded yet. */
  need(from: number, to: number): void {
    for (let start = from - (from % pageSize); start < to; start += pageSize) void this.#load(start);
  }

  close(): void {
    this.#stop.abort();
  }

  async #read(query: AuditQuery, asking: AuditQuery, signal: AbortSignal): Promise<void> {
    const [page, plot, names] = await Promise.all([
      this.#api.get<AuditPage>('/api/audit', { ...asking, offset: '0', limit: String(pageSize) }, signal),
      this.#api.get<AuditPlot>('/api/audit/plot', { ...asking, spans }, signal),
      this.#api.get<AuditNames>('/api/audit/names', {}, signal),
    ]);
    if (signal.aborted) return;
    this.#entries = new Map(page.entries.entries());
    this.#asked = new Set([0]);
    this.reading = { query, page, plot, names };
    this.#changed();
  }

  async #load(start: number): Promise<void> {
    const { reading } = this;
    const [asked, entries] = [this.#asked, this.#entries];
    if (reading === undefined || asked.has(start)) return;
    asked.add(start);
    const { query, page } = reading;
    const place = { upto: String(page.upto), offset: String(start), limit: String(pageSize) };
    try {
      const more = await this.#api.get<AuditPage>('/api/audit', { ...query, ...place }, this.#stop.signal);
      for (const [at, entry] of more.entries.entries()) entries.set(start + at, entry);
      this.#changed();
    } catch {
      // Requested again when it is visible again.
      asked.delete(start);
    }
  }
}

export interface AuditWindow {
  readonly reading: AuditReading | undefined;
  readonly entryAt: (index: number) => NumberedEntry | undefined;
  /** Reports the visible rows. */
  readonly needs: (from: number, to: number) => void;
  readonly paused: boolean;
  readonly setPaused: (paused: boolean) => void;
  readonly setAtTop: (isAtTop: boolean) => void;
  /** Whether there are newer entries above the shown ones. */
  readonly fresh: boolean;
}

/** Returns the visible part of the log. It does not change while the person reads further down or pauses it. */
export function useAudit(query: AuditQuery): AuditWindow {
  const { api, lastEntry, greetings } = useModel();
  const [paused, setPaused] = useState(false);
  const [atTop, setAtTop] = useState(true);
  const [, setDrawn] = useState(0);
  const reader = useMemo(() => new AuditReader(api, () => setDrawn((count) => count + 1)), [api]);
  useEffect(() => () => reader.close(), [reader]);
  const key = JSON.stringify(query);
  const begun = useRef<string | undefined>(undefined);
  const still = paused || !atTop;

  useEffect(() => {
    const isOther = begun.current !== key;
    // A paused list does not change, but another filter still starts again.
    if (still && !isOther) return;
    begun.current = key;
    const upto = paused ? reader.reading?.page.upto : undefined;
    // The event stream reports a lost server.
    reader.begin(query, upto).catch(() => {});
  }, [key, still, lastEntry.value, greetings.value, reader]);

  const needs = useCallback((from: number, to: number) => reader.need(from, to), [reader, reader.reading]);
  const { reading } = reader;
  return {
    reading,
    entryAt: (index) => reader.entryAt(index),
    needs,
    paused,
    setPaused,
    setAtTop,
    fresh: still && reading !== undefined && lastEntry.value > reading.page.upto,
  };
}
