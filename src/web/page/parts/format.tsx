import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Formats how long ago a time was, briefly. */
export function ago(time: string, now: number = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1_000));
  if (seconds < 5) return 'now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.round(seconds / 3_600)} h ago`;
  return time.slice(0, 10);
}

/** Formats the time of day, with the date if it is another day. */
export function clock(time: string, now: Date = new Date()): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const hours = date.toLocaleTimeString('en-GB');
  if (date.toDateString() === now.toDateString()) return hours;
  if (date.getFullYear() !== now.getFullYear()) return time.slice(0, 10);
  const day = date.toLocaleDateString('en', { month: 'short', day: 'numeric' });
  return `${day}, ${hours.slice(0, 5)}`;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** Shows how long ago a time was, and keeps updating it. */
export function Ago({ time }: { readonly time: string }): JSX.Element {
  return (
    <time dateTime={time} title={clock(time)}>
      {ago(time, useNow())}
    </time>
  );
}

/** Interval for updating relative times. Milliseconds. */
const tick = 5_000;

/** Returns the current time, and updates it. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tick);
    return () => clearInterval(timer);
  }, []);
  // A time after the last tick must not be in the future.
  return Math.max(now, Date.now());
}
