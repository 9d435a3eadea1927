import type { Boundary } from '../boundary/boundary.ts';
import type { RootStore } from '../client/root-store.ts';
import type { AuditBook } from './audit-book.ts';
import type { Ceiling } from './ceiling.ts';
import type { RootBook } from './root-book.ts';
import type { AboutView, ProcessView } from './wire.ts';

/** Everything that the page can see and change. */
export interface Desk {
  readonly store: RootStore;
  readonly roots: RootBook;
  readonly audit: AuditBook;
  readonly ceiling: Ceiling;
  /** Where processes announce themselves. */
  readonly state: Boundary;
  readonly about: AboutView;
  running(): readonly ProcessView[];
}
