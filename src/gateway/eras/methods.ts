import type { GatewaySide } from './step.ts';

/** The revisions of the protocol, oldest first. All but the last begin with `initialize`. */
export const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

export type ProtocolRevision = (typeof revisions)[number];

/** The last revision with a handshake, and the first without one. */
export const lastWithHandshake: ProtocolRevision = '2025-11-25';
export const firstWithout: ProtocolRevision = '2026-07-28';

/**
 * How a method crosses from one era to the other:
 * - `carry`: it exists on both sides; only metadata differs.
 * - `call`: like `carry`, and the server may put questions before it answers.
 * - `here`: the gateway answers it, or makes something else of it.
 * - `question`: the server asks the client, each in the manner of its own era.
 * - `roots`: the gateway answers it from its own roots, or asks for roots again.
 * - `drop`: it has no meaning on the other side.
 * - `refuse`: the sender is told that the method is unknown.
 */
export type MethodCrossing = 'carry' | 'call' | 'here' | 'question' | 'roots' | 'drop' | 'refuse';

export interface MethodRow {
  readonly method: string;
  readonly from: GatewaySide;
  readonly kind: 'request' | 'notification';
  readonly since: ProtocolRevision;
  /** The last revision that has it. */
  readonly until: ProtocolRevision;
  /** Between a client with a handshake and a server without; absent if the sender's era has no such method. */
  readonly olderClient?: MethodCrossing;
  /** Between a client without a handshake and a server with one. */
  readonly newerClient?: MethodCrossing;
}

const always = { since: '2024-11-05', until: '2026-07-28' } as const;
const withHandshake = { since: '2024-11-05', until: '2025-11-25' } as const;
const withTasks = { since: '2025-11-25', until: '2025-11-25' } as const;
const without = { since: '2026-07-28', until: '2026-07-28' } as const;

const request = { kind: 'request', from: 'client' } as const;
const told = { kind: 'notification', from: 'client' } as const;
const asked = { kind: 'request', from: 'server' } as const;
const news = { kind: 'notification', from: 'server' } as const;

/** A row for each method in each direction. A test compares it with the schemas of all revisions. */
export const methods: readonly MethodRow[] = [
  { method: 'initialize', ...request, ...withHandshake, olderClient: 'here' },
  { method: 'server/discover', ...request, ...without, newerClient: 'here' },
  { method: 'ping', ...request, ...withHandshake, olderClient: 'here' },
  { method: 'tools/list', ...request, ...always, olderClient: 'carry', newerClient: 'carry' },
  { method: 'tools/call', ...request, ...always, olderClient: 'call', newerClient: 'call' },
  { method: 'prompts/list', ...request, ...always, olderClient: 'carry', newerClient: 'carry' },
  { method: 'prompts/get', ...request, ...always, olderClient: 'call', newerClient: 'call' },
  { method: 'resources/list', ...request, ...always, olderClient: 'carry', newerClient: 'carry' },
  { method: 'resources/templates/list', ...request, ...always, olderClient: 'carry', newerClient: 'carry' },
  { method: 'resources/read', ...request, ...always, olderClient: 'call', newerClient: 'call' },
  { method: 'resources/subscribe', ...request, ...withHandshake, olderClient: 'here' },
  { method: 'resources/unsubscribe', ...request, ...withHandshake, olderClient: 'here' },
  { method: 'subscriptions/listen', ...request, ...without, newerClient: 'here' },
  { method: 'completion/complete', ...request, ...always, olderClient: 'carry', newerClient: 'carry' },
  { method: 'logging/setLevel', ...request, ...withHandshake, olderClient: 'here' },
  { method: 'tasks/get', ...request, ...withTasks, olderClient: 'refuse' },
  { method: 'tasks/result', ...request, ...withTasks, olderClient: 'refuse' },
  { method: 'tasks/list', ...request, ...withTasks, olderClient: 'refuse' },
  { method: 'tasks/cancel', ...request, ...withTasks, olderClient: 'refuse' },

  { method: 'notifications/initialized', ...told, ...withHandshake, olderClient: 'here' },
  { method: 'notifications/cancelled', ...told, ...always, olderClient: 'here', newerClient: 'here' },
  { method: 'notifications/progress', ...told, ...always, olderClient: 'drop', newerClient: 'drop' },
  { method: 'notifications/roots/list_changed', ...told, ...withHandshake, olderClient: 'roots' },
  { method: 'notifications/tasks/status', ...told, ...withTasks, olderClient: 'drop' },

  { method: 'ping', ...asked, ...withHandshake, newerClient: 'here' },
  { method: 'roots/list', ...asked, ...withHandshake, newerClient: 'roots' },
  { method: 'sampling/createMessage', ...asked, ...withHandshake, newerClient: 'question' },
  {
    method: 'elicitation/create',
    ...asked,
    since: '2025-06-18',
    until: '2025-11-25',
    newerClient: 'question',
  },
  { method: 'tasks/get', ...asked, ...withTasks, newerClient: 'refuse' },
  { method: 'tasks/result', ...asked, ...withTasks, newerClient: 'refuse' },
  { method: 'tasks/list', ...asked, ...withTasks, newerClient: 'refuse' },
  { method: 'tasks/cancel', ...asked, ...withTasks, newerClient: 'refuse' },

  { method: 'notifications/cancelled', ...news, ...always, olderClient: 'here', newerClient: 'here' },
  { method: 'notifications/progress', ...news, ...always, olderClient: 'here', newerClient: 'here' },
  { method: 'notifications/message', ...news, ...always, olderClient: 'carry', newerClient: 'here' },
  {
    method: 'notifications/tools/list_changed',
    ...news,
    ...always,
    olderClient: 'carry',
    newerClient: 'here',
  },
  {
    method: 'notifications/prompts/list_changed',
    ...news,
    ...always,
    olderClient: 'carry',
    newerClient: 'here',
  },
  {
    method: 'notifications/resources/list_changed',
    ...news,
    ...always,
    olderClient: 'carry',
    newerClient: 'here',
  },
  {
    method: 'notifications/resources/updated',
    ...news,
    ...always,
    olderClient: 'carry',
    newerClient: 'here',
  },
  { method: 'notifications/subscriptions/acknowledged', ...news, ...without, olderClient: 'here' },
  { method: 'notifications/elicitation/complete', ...news, ...withTasks, newerClient: 'drop' },
  { method: 'notifications/tasks/status', ...news, ...withTasks, newerClient: 'drop' },
];

/** Whether connections of the revision begin with `initialize`. */
export function hasHandshake(revision: ProtocolRevision): boolean {
  return revision !== firstWithout;
}

/** The column of the table for two ends of different eras: which of them is older. */
export type EraPair = 'olderClient' | 'newerClient';

/** Returns how a method of one side crosses; `undefined` for a method that the sender's era does not have. */
export function crossingOf(pair: EraPair, from: GatewaySide, method: string): MethodCrossing | undefined {
  return crossings[pair][from].get(method);
}

const crossings: Readonly<
  Record<EraPair, Readonly<Record<GatewaySide, ReadonlyMap<string, MethodCrossing>>>>
> = {
  olderClient: { client: column('olderClient', 'client'), server: column('olderClient', 'server') },
  newerClient: { client: column('newerClient', 'client'), server: column('newerClient', 'server') },
};

function column(pair: EraPair, from: GatewaySide): ReadonlyMap<string, MethodCrossing> {
  return new Map(
    methods.flatMap((row) => {
      const crossing = row.from === from ? row[pair] : undefined;
      return crossing === undefined ? [] : [[row.method, crossing] as const];
    }),
  );
}
