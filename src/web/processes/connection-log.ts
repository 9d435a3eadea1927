import type { Trace, TraceEvent, TracedConnection } from '../../server/settings/trace-event.ts';
import type { ConnectionView, DeclaredAbilities } from '../wire/wire.ts';

/** Identifies a client for as long as it is connected: its connection object, or its HTTP session. */
export type SessionKey = object | string;

/** The clients that are connected to this process. */
export interface ConnectionLog {
  readonly trace: Trace;
  connections(): readonly ConnectionView[];
  /** The id by which the page knows a client. */
  idOf(session: SessionKey | undefined): string | undefined;
  /** Records that an HTTP session has ended. */
  ended(session: string): void;
  close(): void;
}

export interface ConnectionLogOptions {
  readonly onChange: () => void;
  /** Called when a client is gone, to end answers that were given for its session. */
  readonly onGone?: (session: SessionKey) => void;
  readonly now?: () => Date;
}

/** Milliseconds without a call after which an HTTP client counts as gone, because it need not say goodbye. */
const forgottenAfter = 10 * 60_000;
/** Milliseconds between two reports that a client is still active. */
const seenEvery = 5_000;
/** Limit of clients shown. */
const most = 200;

interface LoggedConnection {
  readonly view: ConnectionView;
  readonly session: SessionKey | undefined;
  /** Milliseconds since 1970 when its activity was last reported. */
  readonly reported: number;
}

/** Combines the trace events of all servers into one entry per client, whatever connections carried its calls. */
export function createConnectionLog(options: ConnectionLogOptions): ConnectionLog {
  const { onChange, onGone = () => {}, now = () => new Date() } = options;
  const known = new Map<string, LoggedConnection>();
  const keyOf = createKeys();
  let count = 0;
  const forget = (key: string): boolean => {
    const gone = known.get(key);
    if (gone?.session !== undefined) onGone(gone.session);
    return known.delete(key);
  };
  const clock = createForgetClock(known, now, (keys) => {
    for (const key of keys) forget(key);
    onChange();
  });
  return {
    trace(event, connection) {
      const key = connection && keyOf(connection, event);
      if (connection === undefined || key === undefined) return;
      if (event.kind === 'closed') {
        // The request has ended, but its HTTP client has not.
        if (!connection.overHttp && forget(key)) onChange();
        return;
      }
      const time = now();
      const entry = known.get(key);
      const isRecent = entry !== undefined && time.getTime() - entry.reported < seenEvery;
      // Each HTTP request opens a connection, which is no news in a session that is known.
      if (isRecent && event.kind === 'opened') return;
      const before = entry?.view ?? begin(String((count += 1)), time.toISOString());
      const after = note(before, event, connection);
      if (isRecent && JSON.stringify(after) === JSON.stringify(before)) return;
      known.delete(key);
      const view = { ...after, seen: time.toISOString() };
      known.set(key, { view, session: sessionOf(connection), reported: time.getTime() });
      for (const oldest of known.keys()) if (known.size > most) forget(oldest);
      clock.wind();
      onChange();
    },
    connections: () => [...known.values()].map(({ view }) => view),
    idOf: (session) => [...known.values()].find((one) => one.session === session && session)?.view.id,
    ended(session) {
      if (forget(keyOfSession(session))) onChange();
    },
    close: () => clock.stop(),
  };
}

function sessionOf(connection: TracedConnection): SessionKey | undefined {
  return connection.sessionId ?? (connection.overHttp ? undefined : connection);
}

function keyOfSession(session: string): string {
  return `session ${session}`;
}

function createKeys(): (connection: TracedConnection, event: TraceEvent) => string | undefined {
  const keys = new WeakMap<TracedConnection, string>();
  let count = 0;
  return (connection, event) => {
    if (connection.sessionId !== undefined) return keyOfSession(connection.sessionId);
    if (connection.overHttp) return nameOf(event, connection);
    const key = keys.get(connection) ?? `connection ${(count += 1)}`;
    keys.set(connection, key);
    return key;
  };
}

interface ForgetClock {
  wind(): void;
  stop(): void;
}

/** Drops HTTP clients as soon as they have been silent for too long, without waiting for the next call. */
function createForgetClock(
  known: ReadonlyMap<string, LoggedConnection>,
  now: () => Date,
  forget: (keys: readonly string[]) => void,
): ForgetClock {
  let timer: NodeJS.Timeout | undefined;
  const endOf = ({ view, reported }: LoggedConnection): number =>
    view.transport === 'stdio' ? Infinity : reported + forgottenAfter;
  const wind = (): void => {
    const next = [...known.values()].reduce((first, one) => Math.min(first, endOf(one)), Infinity);
    if (timer !== undefined || next === Infinity) return;
    timer = setTimeout(ring, Math.max(50, next - now().getTime())).unref();
  };
  const ring = (): void => {
    timer = undefined;
    const time = now().getTime();
    const gone = [...known].filter(([, one]) => endOf(one) <= time).map(([key]) => key);
    if (gone.length > 0) forget(gone);
    wind();
  };
  return { wind, stop: () => clearTimeout(timer) };
}

/** From 2026-07-28 on HTTP has no sessions, so the name identifies the client. */
function nameOf(event: TraceEvent, connection: TracedConnection): string | undefined {
  const client = ('who' in event ? event.who : undefined) ?? connection.client();
  return client && `client ${client.name} ${client.version ?? ''}`;
}

const nothingDeclared: DeclaredAbilities = { roots: false, listChanged: false, elicitation: false };

function begin(id: string, since: string): ConnectionView {
  return {
    id,
    transport: 'stdio',
    declared: nothingDeclared,
    changes: 0,
    since,
    seen: since,
    roots: [],
    places: [],
    trail: [],
  };
}

function note(before: ConnectionView, event: TraceEvent, connection: TracedConnection): ConnectionView {
  const known = { ...before, ...factsOf(connection) };
  switch (event.kind) {
    case 'opened':
      return { ...known, transport: event.overHttp ? 'http' : 'stdio' };
    case 'initialized':
    case 'warned':
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
  const {
    project,
    location,
    source,
    roots,
    places = [],
    why,
    trail = [],
    refusal,
    who,
    capabilities,
  } = event;
  return {
    roots,
    places,
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

function declaredIn({ roots, elicitation }: Readonly<Record<string, unknown>>): DeclaredAbilities {
  const { listChanged } = (roots ?? {}) as { readonly listChanged?: unknown };
  return {
    roots: roots !== undefined,
    listChanged: listChanged === true,
    elicitation: elicitation !== undefined,
  };
}
