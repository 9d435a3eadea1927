import type { DiskChange } from '../boundary/step/witness.ts';
import type { AuditChange } from './entry.ts';

/** What an act came to on the disk, as the boundary told it while it happened. */
export class Account {
  /** Where the path really led; absent if nothing was reached. */
  place: string | undefined;
  #changes: Map<string, AuditChange> | undefined;

  /** In the order in which they began; the same change at one place is counted. */
  get changes(): readonly AuditChange[] {
    return this.#changes === undefined ? none : [...this.#changes.values()];
  }

  reached(relative: string): void {
    this.place = shown(relative);
  }

  changed({ kind, relative, count = 1 }: DiskChange): void {
    const changes = (this.#changes ??= new Map());
    const isNamed = changes.size < mostPlaces || changes.has(`${kind} ${relative}`);
    const place = isNamed ? shown(relative) : elsewhere;
    const key = `${kind} ${isNamed ? relative : elsewhere}`;
    changes.set(key, { kind, place, count: (changes.get(key)?.count ?? 0) + count });
  }
}

const none: readonly AuditChange[] = [];

function shown(relative: string): string {
  return relative === '' ? '.' : relative;
}

/** Places that are named; what happens at others is only counted, by its kind. */
const mostPlaces = 8;
const elsewhere = '…';
