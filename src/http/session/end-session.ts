import { findSession } from './find-session.ts';
import { plainHeaders } from '../exchange/refusals.ts';
import { sessionEnded, type Site, type Visit } from '../exchange/site.ts';

/** Ends a session: what it has under way is given up, its stream ends, its record is gone. */
export async function endSession(site: Site, visit: Visit): Promise<void> {
  const record = await findSession(site, visit);
  if (record === undefined) return;
  const { id, principal } = record;
  await site.store.remove(id);
  site.calls.abandon(id);
  site.streams.end(id);
  await site.announce(record, sessionEnded);
  site.record({ kind: 'session-ended', principal, session: id });
  visit.response.writeHead(204, plainHeaders).end();
}
