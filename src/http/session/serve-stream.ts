import { findSession } from './find-session.ts';
import type { Reply } from '../exchange/reply.ts';
import { resumeStream } from './resume-stream.ts';
import { type Site, streamOpened, type Visit } from '../exchange/site.ts';

/** Opens the stream for notifications of a session, where the operator wants them. */
export async function serveStream(site: Site, visit: Visit): Promise<void> {
  const event = visit.request.headers['last-event-id'];
  if (typeof event === 'string' && event !== '') {
    await resumeStream(site, visit, event);
    return;
  }
  if (!site.notifications)
    return site.turnAway(visit, 'no-such-method', { headers: { allow: 'POST, DELETE' } });
  if (!visit.accepts.stream) return site.turnAway(visit, 'not-acceptable');
  const record = await findSession(site, visit);
  if (record === undefined) return;
  const { id } = record;
  // It has no end of its own: it lives as long as its session, and keeps it alive.
  const reply: Reply = site.openReply(visit, {
    tick: () => void keepAlive(site, id, reply),
  });
  site.streams.open(id, reply);
  visit.response.once('close', () => site.streams.forget(id, reply));
  // The old one may be on another node, which need not have noticed that it is lost.
  if (site.store.shared) void site.announce(record, streamOpened).catch(() => {});
}

async function keepAlive(site: Site, id: string, reply: Reply): Promise<void> {
  // Where the store is away for a moment, the stream need not be.
  const record = await site.store.touch(id).catch(() => 'unknown' as const);
  if (record === undefined) reply.end();
}
