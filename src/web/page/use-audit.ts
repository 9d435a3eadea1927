import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { AuditNames, AuditPage, AuditPlot, NumberedEntry } from '../wire.ts';
import { useModel } from './use-model.ts';

type Query = Readonly<Record<string, string>>;

export interface AuditWindow {
  readonly page: AuditPage | undefined;
  readonly plot: AuditPlot | undefined;
  readonly names: AuditNames | undefined;
  readonly entryAt: (index: number) => NumberedEntry | undefined;
  /** Rows that are in sight. */
  readonly needs: (from: number, to: number) => void;
  readonly paused: boolean;
  readonly setPaused: (paused: boolean) => void;
  readonly setAtTop: (isAtTop: boolean) => void;
  /** There is more, above what is shown. */
  readonly fresh: boolean;
}

/** Rows that are asked for at once. */
const pageSize = 100;

/** The part of the log that is in sight. It stands still while somebody reads further down, or pauses it. */
export function useAudit(query: Query): AuditWindow {
  const { api, lastEntry, status } = useModel();
  const [paused, setPaused] = useState(false);
  const [atTop, setAtTop] = useState(true);
  const [page, setPage] = useState<AuditPage>();
  const [plot, setPlot] = useState<AuditPlot>();
  const [names, setNames] = useState<AuditNames>();
  const entries = useRef(new Map<number, NumberedEntry>());
  const asked = useRef(new Set<number>());
  const upto = useRef<number | undefined>(undefined);
  const [, setDrawn] = useState(0);
  const key = JSON.stringify(query);
  const still = paused || !atTop;
  const live = lastEntry.value;

  const load = useCallback(
    async (start: number, signal?: AbortSignal): Promise<void> => {
      const bound = upto.current === undefined ? {} : { upto: String(upto.current) };
      const asking = { ...query, ...bound, offset: String(start), limit: String(pageSize) };
      const loaded = await api.get<AuditPage>('/api/audit', asking, signal);
      upto.current ??= loaded.upto;
      for (const [at, entry] of loaded.entries.entries()) entries.current.set(start + at, entry);
      setPage(loaded);
      setDrawn((count) => count + 1);
    },
    [key, api],
  );

  useEffect(() => {
    if (still && page !== undefined) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      upto.current = undefined;
      entries.current = new Map();
      asked.current = new Set([0]);
      const { signal } = stop;
      Promise.all([
        load(0, signal),
        api.get<AuditPlot>('/api/audit/plot', { ...query, spans: '80' }, signal).then(setPlot),
        api.get<AuditNames>('/api/audit/names', {}, signal).then(setNames),
      ]).catch(() => {});
    }, 0);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, live, still, load, status.value]);

  // Another filter begins anew, also while it stands still.
  useEffect(() => setPage(undefined), [key]);

  const needs = useCallback(
    (from: number, to: number): void => {
      for (let start = from - (from % pageSize); start < to; start += pageSize) {
        if (asked.current.has(start)) continue;
        asked.current.add(start);
        load(start).catch(() => asked.current.delete(start));
      }
    },
    [load],
  );

  return {
    page,
    plot,
    names,
    entryAt: (index) => entries.current.get(index),
    needs,
    paused,
    setPaused,
    setAtTop,
    fresh: still && page !== undefined && live > page.upto,
  };
}
