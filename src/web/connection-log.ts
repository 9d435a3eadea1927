import type { Trace, TraceEvent, TracedConnection } from '../server/trace-event.ts';
import type { ConnectionView, Declared } from './wire.ts';

/** Who is connected to this process now. */
export interface ConnectionLog {
  readonly trace: Trace;
  connections(): readonly ConnectionView[];
}

export interface ConnectionLogOptions {
  readonly onChange: () => void;
  readonly now?: () => Date;
}

/** Over HTTP nobody says goodbye: after that long without a call a client counts as gone. Milliseconds. */
const forgottenAfter = 10 * 60_000;
/** That somebody is still there is told no more often. Milliseconds. */
const seenEvery = 5_000;
/** More clients than anybody looks at. */
const most = 200;

/** Puts the steps of attached servers together: one entry for each client, whatever carried its calls. */
export function createConnectionLog({
  onChange,
  now = () => new Date(),
}: ConnectionLogOptions): ConnectionLog {
  const views = new Map<string, ConnectionView>();
  const keys = new WeakMap<TracedConnection, string>();
  let count = 0;
  const keyOf = (event: TraceEvent, connection: TracedConnection): string | undefined => {
    if (connection.sessionId !== undefined) return `session ${connection.sessionId}`;
    if (connection.overHttp) return nameOf(event, connection);
    const key = keys.get(connection) ?? `connection ${(count += 1)}`;
    keys.set(connection, key);
    return key;
  };
  return {
    trace(event, connection) {
      const key = connection && keyOf(event, connection);
      if (connection === undefined || key === undefined) return;
      if (event.kind === 'closed') {
        // A request over HTTP ends; its client does not.
        if (!connection.overHttp && views.delete(key)) onChange();
        return;
      }
      const time = now().toISOString();
      const before = views.get(key) ?? begin(String((count += 1)), time);
      const after = note(before, event, connection);
      const isNews = JSON.stringify(after) !== JSON.stringify(before);
      if (!isNews && views.has(key) && Date.parse(time) - Date.parse(before.seen) < seenEvery) return;
      views.delete(key);
      views.set(key, { ...after, seen: time });
      for (const oldest of views.keys()) if (views.size > most) views.delete(oldest);
      onChange();
    },
    connections() {
      const since = new Date(now().getTime() - forgottenAfter).toISOString();
      return [...views.values()].filter(({ transport, seen }) => transport === 'stdio' || seen > since);
    },
  };
}

/** From 2026-07-28 on there are no sessions over HTTP: a client is whoever goes by a name. */
function nameOf(event: TraceEvent, connection: TracedConnection): string | undefined {
  const client = ('who' in event ? event.who : undefined) ?? connection.client();
  return client && `client ${client.name} ${client.version ?? ''}`;
}

const nothingDeclared: Declared = { roots: false, listChanged: false, elicitation: false };

function begin(id: string, since: string): ConnectionView {
  return {
    id,
    transport: 'stdio',
    declared: nothingDeclared,
    changes: 0,
    since,
    seen: since,
    roots: [],
    trail: [],
  };
}

function note(before: ConnectionView, event: TraceEvent, connection: TracedConnection): ConnectionView {
  const known = { ...before, ...factsOf(connection) };
  switch (event.kind) {
    case 'opened':
      return { ...known, transport: event.overHttp ? 'http' : 'stdio' };
    case 'initialized':
    case 'closed':
      return known;
    case 'changed':
      return { ...known, changes: before.changes + 1 };
    case 'answered': {
      const { state, roots, reason } = event;
      return { ...known, answered: { state, roots, ...(reason === undefined ? {} : { reason }) } };
    }
    case 'composed':
      return { ...withoutProject(known), ...projectIn(event) };
    case 'refused': {
      const { code, message } = event;
      return known.project === undefined
        ? { ...known, refusal: { hint: '', ...known.refusal, code, message } }
        : known;
    }
  }
}

function withoutProject(view: ConnectionView): ConnectionView {
  const { project: _project, source: _source, refusal: _refusal, ...rest } = view;
  return rest;
}

function projectIn(event: TraceEvent & { readonly kind: 'composed' }): Partial<ConnectionView> {
  const { project, location, source, roots, why, trail = [], refusal, who, capabilities } = event;
  return {
    roots,
    why,
    trail,
    ...(project === undefined
      ? {}
      : { project: { name: project, ...(location === undefined ? {} : { location }) } }),
    ...(source === undefined ? {} : { source }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(who === undefined
      ? {}
      : { client: who.name, ...(who.version === undefined ? {} : { version: who.version }) }),
    ...(capabilities === undefined ? {} : { declared: declaredIn(capabilities) }),
  };
}

function factsOf(connection: TracedConnection): Partial<ConnectionView> {
  const client = connection.client();
  const revision = connection.modern ? '2026-07-28' : protocolIn(connection.memory.current().initialize);
  return {
    transport: connection.overHttp ? 'http' : 'stdio',
    ...(client === undefined ? {} : { client: client.name }),
    ...(client?.version === undefined ? {} : { version: client.version }),
    ...(revision === undefined ? {} : { revision }),
    ...(connection.modern ? {} : { declared: declaredIn(connection.capabilities()) }),
  };
}

function protocolIn(initialize: unknown): string | undefined {
  const { protocolVersion } = (initialize ?? {}) as { readonly protocolVersion?: unknown };
  return typeof protocolVersion === 'string' ? protocolVersion : undefined;
}

function declaredIn({ roots, elicitation }: Readonly<Record<string, unknown>>): Declared {
  const { listChanged } = (roots ?? {}) as { readonly listChanged?: unknown };
  return {
    roots: roots !== undefined,
    listChanged: listChanged === true,
    elicitation: elicitation !== undefined,
  };
}
