import type { Boundary } from '../../boundary/boundary.ts';
import type { RootStore } from '../../client/store/root-store.ts';
import type { AuditTail } from './audit-tail.ts';
import type { PageCeiling } from './ceiling.ts';
import type { WindowCounts } from '../wire/event-hub.ts';
import type { RemovedRoots } from './removed-roots.ts';
import type { RootViews } from './root-views.ts';
import type { AboutView, ConnectView, ProcessView } from '../wire/wire.ts';

/** Everything that the page can read and change. */
export interface PageState {
  readonly store: RootStore;
  readonly roots: RootViews;
  /** Roots that were removed on the page and can be restored. */
  readonly removed: RemovedRoots;
  readonly audit: AuditTail;
  readonly ceiling: PageCeiling;
  /** The directory where processes announce themselves. */
  readonly state: Boundary;
  readonly about: AboutView;
  running(): readonly ProcessView[];
  /** Reports the windows behind a stream. */
  setWindows(stream: string, windows: WindowCounts): void;
  /** Returns how a client reaches the MCP server next to the page. */
  connect(): ConnectView | undefined;
}
