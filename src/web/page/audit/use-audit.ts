import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { NumberedEntry } from '../../wire/wire.ts';
import { AuditReader, type Query, type Reading } from './audit-reader.ts';
import { useModel } from '../live/use-model.ts';

export interface AuditWindow {
  readonly reading: Reading | undefined;
  readonly entryAt: (index: number) => NumberedEntry | undefined;
  /** Rows that are in sight. */
  readonly needs: (from: number, to: number) => void;
  readonly paused: boolean;
  readonly setPaused: (paused: boolean) => void;
  readonly setAtTop: (isAtTop: boolean) => void;
  /** There is more, above what is shown. */
  readonly fresh: boolean;
}

/** The part of the log that is in sight. It stands still while somebody reads further down, or pauses it. */
export function useAudit(query: Query): AuditWindow {
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
    // What stands still stays as it is, but another filter begins anew also then.
    if (still && !isOther) return;
    begun.current = key;
    const upto = paused ? reader.reading?.page.upto : undefined;
    // Whether nobody is there is told by the events.
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
