import { afterEach, expect, test, vi } from 'vitest';
import { createMemory } from '../../server/connection/connection-memory.ts';
import type { TracedConnection } from '../../server/settings/trace-event.ts';
import { createConnectionLog } from './connection-log.ts';

interface Shape {
  readonly sessionId?: string;
  readonly overHttp?: boolean;
  readonly modern?: boolean;
  readonly name?: string;
}

function connection({
  sessionId,
  overHttp = false,
  modern = false,
  name = 'editor',
}: Shape = {}): TracedConnection {
  const initialize = {
    protocolVersion: '2025-11-25',
    capabilities: { roots: { listChanged: true } },
    clientInfo: { name },
  };
  return {
    memory: createMemory({ initialize }),
    modern,
    overHttp,
    sessionId,
    client: () => ({ name, version: '2.0' }),
    capabilities: () => initialize.capabilities,
  };
}

function logWith(now = (): Date => new Date()) {
  let told = 0;
  const gone: unknown[] = [];
  const log = createConnectionLog({ onChange: () => (told += 1), onGone: (one) => gone.push(one), now });
  return { log, told: () => told, gone };
}

afterEach(() => {
  vi.useRealTimers();
});

const composed = {
  kind: 'composed',
  project: 'app',
  location: '/app',
  source: 'roots',
  roots: ['app'],
  why: 'the client listed it',
  trail: [{ source: 'roots', outcome: 'chosen', offered: ['/app'], reason: 'it is a directory' }],
} as const;

test('one client over stdio, from its arrival to its end', () => {
  const { log } = logWith();
  const peer = connection();
  log.trace({ kind: 'opened', overHttp: false }, peer);
  log.trace({ kind: 'initialized', client: 'editor', roots: true }, peer);
  log.trace({ kind: 'answered', state: 'listed', roots: 1 }, peer);
  log.trace({ kind: 'changed' }, peer);
  log.trace(composed, peer);
  expect(log.connections()).toMatchObject([
    {
      client: 'editor',
      version: '2.0',
      revision: '2025-11-25',
      transport: 'stdio',
      declared: { roots: true, listChanged: true, elicitation: false },
      answered: { state: 'listed', roots: 1 },
      changes: 1,
      project: { name: 'app', location: '/app' },
      source: 'roots',
      trail: composed.trail,
    },
  ]);
  log.trace({ kind: 'closed' }, peer);
  expect(log.connections()).toEqual([]);
});

function callTwice(log: ReturnType<typeof logWith>['log'], sessionId: string): void {
  for (let request = 0; request < 2; request += 1) {
    const peer = connection({ sessionId, overHttp: true });
    log.trace({ kind: 'opened', overHttp: true }, peer);
    log.trace({ kind: 'closed' }, peer);
  }
}

test('requests of one HTTP session are one client, which goes when the session ends', () => {
  const { log, gone } = logWith();
  callTwice(log, 's');
  callTwice(log, 't');
  expect(log.connections()).toMatchObject([{ transport: 'http' }, { transport: 'http' }]);
  log.ended('s');
  log.ended('never heard of');
  expect([log.connections().length, gone]).toEqual([1, ['s']]);
  log.close();
});

test('a silent HTTP client is removed after a while, and reported', async () => {
  vi.useFakeTimers();
  const { log, told, gone } = logWith();
  callTwice(log, 's');
  const before = told();
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  callTwice(log, 's');
  const again = told();
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect([log.connections().length, told()]).toEqual([1, again]);
  await vi.advanceTimersByTimeAsync(61_000);
  expect([log.connections(), gone]).toEqual([[], ['s']]);
  expect(told()).toBe(again + 1);
  expect(again).toBeGreaterThan(before);
  log.close();
});

test('a stdio client stays, however long it is silent', async () => {
  vi.useFakeTimers();
  const { log, gone } = logWith();
  const peer = connection();
  log.trace({ kind: 'opened', overHttp: false }, peer);
  await vi.advanceTimersByTimeAsync(24 * 60 * 60_000);
  expect(log.connections()).toHaveLength(1);
  expect(log.idOf(peer)).toBe(log.connections()[0]?.id);
  log.trace({ kind: 'closed' }, peer);
  expect([log.idOf(peer), log.idOf(undefined), gone]).toEqual([undefined, undefined, [peer]]);
});

test('identifies a 2026 client over HTTP by its requests', () => {
  const { log } = logWith();
  const peer: TracedConnection = { ...connection({ overHttp: true, modern: true }), client: () => undefined };
  log.trace({ kind: 'opened', overHttp: true }, peer);
  expect(log.connections()).toEqual([]);
  const who = { name: 'future', version: '9' };
  log.trace({ ...composed, who, capabilities: { roots: {}, elicitation: {} } }, peer);
  log.trace({ ...composed, who, capabilities: {} }, { ...peer });
  expect(log.connections()).toMatchObject([
    {
      client: 'future',
      revision: '2026-07-28',
      declared: { roots: false, listChanged: false, elicitation: false },
    },
  ]);
});

test('a missing project has a reason and a hint, until there is one', () => {
  const { log } = logWith();
  const peer = connection();
  const refusal = { code: 'NO_ROOTS', message: 'nothing', hint: 'open a folder' } as const;
  log.trace(
    { kind: 'composed', project: undefined, source: undefined, roots: [], why: '', trail: [], refusal },
    peer,
  );
  expect(log.connections()).toMatchObject([{ refusal }]);
  expect(log.connections()[0]?.project).toBeUndefined();
  log.trace(composed, peer);
  expect(log.connections()[0]?.refusal).toBeUndefined();
});

test('reports only changes', () => {
  const { log, told } = logWith(() => new Date('2026-01-01T00:00:00.000Z'));
  const peer = connection();
  for (let count = 0; count < 50; count += 1) log.trace(composed, peer);
  expect(told()).toBe(1);
});

test('ignores events without a connection', () => {
  const { log, told } = logWith();
  log.trace(composed);
  expect([log.connections(), told()]).toEqual([[], 0]);
});
