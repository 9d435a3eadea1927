import { announce, type ProcessAnnouncement, type PageQuestion } from '../../../src/web/processes/running.ts';
import type { ConnectionView } from '../../../src/web/wire/wire.ts';
import type { OwnWeb } from './open-page.ts';

/** A client as a server announces it. */
export function connectionOf(more: Partial<ConnectionView> = {}): ConnectionView {
  const time = new Date().toISOString();
  return {
    id: '1',
    client: 'Editor',
    version: '3.1.0',
    revision: '2025-11-25',
    transport: 'stdio',
    declared: { roots: true, listChanged: true, elicitation: false },
    changes: 0,
    since: time,
    seen: time,
    roots: ['shop'],
    places: ['/shop'],
    trail: [],
    ...more,
  };
}

/** A server that is known to the page, in this very process: it asks as a real one does. */
export function announceServer(
  { options }: OwnWeb,
  connections: readonly ConnectionView[] = [connectionOf()],
): Promise<ProcessAnnouncement> {
  return announce(options.state, { command: 'serve', version: '1.0.0', directory: '/', connections });
}

/** To write in `work/shop`, unless something else is said. */
export function questionIn({ tree }: OwnWeb, more: Partial<PageQuestion> = {}): PageQuestion {
  return {
    kind: 'access',
    who: 'Editor',
    operation: 'write',
    path: tree.at('work/shop/src/cart.ts'),
    roots: ['shop'],
    places: [tree.at('work/shop')],
    server: 'files',
    connection: '1',
    session: true,
    follows: true,
    reason: 'preset "ask-before-write" asks a person before "write"',
    until: new Date(Date.now() + 60_000).toISOString(),
    ...more,
  };
}
