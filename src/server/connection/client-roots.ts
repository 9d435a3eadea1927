import { fieldsOf } from '../../base/fields.ts';
import { bounded } from '../../base/wait.ts';
import { parseRoots } from '../../path/root.ts';
import { answerList, hadRoots, type RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import { type RequestFacts } from '../sdk/call-context.ts';
import { askClient, type ClientAnswer, type ClientRoute } from './ask-client.ts';
import type { Connection } from './connection.ts';
import type { ClientIdentity } from '../../workspace/sources/root-source.ts';

/** The roots of a client that can be asked at any time, in revisions before 2026-07-28. */
export interface ClientRoots {
  /** The stored answer; `unasked` also if a change has made it invalid. */
  known(): RootsAnswer;
  /** Asks the client, at most once until it announces a change, and waits no longer than the patience. */
  ask(incoming?: RequestFacts): Promise<RootsAnswer>;
}

export interface ClientRootsOptions {
  /** Milliseconds. */
  readonly patience: number;
  /** Called when an answer was stored, possibly after all callers gave up waiting. */
  readonly answered: () => void;
  /** Remembers how earlier connections of the same client ended. */
  readonly caught?: CaughtClients | undefined;
}

/** The client declared roots and never answers, or does not know the method. */
export type ClientFault = 'silent' | 'unknown-method';

/** A client that declared roots and did not list them. */
export interface CaughtClient {
  readonly fault: ClientFault;
  /** An ISO date. */
  readonly at: string;
}

/** Remembers across connections which clients declare roots and do not list them. */
export interface CaughtClients {
  find(client: ClientIdentity): Promise<CaughtClient | undefined>;
  /** Without a fault: the client has listed its roots. */
  note(client: ClientIdentity, fault: ClientFault | undefined): void;
}

/** One question in flight, shared by all calls that need its answer. */
interface RootsRequest {
  readonly generation: number;
  readonly landed: Promise<RequestResult>;
}

/** `changed`: the roots changed during the question. `gone`: the call that carried it has ended. */
type RequestResult = 'kept' | 'changed' | 'gone';

/** The part of the patience that a client gets after it timed out once. */
const nextChance = 0.1;

export function createClientRoots(connection: Connection, options: ClientRootsOptions): ClientRoots {
  let flight: RootsRequest | undefined;
  let waitedOnce = false;

  const start = (
    incoming: RequestFacts | undefined,
    ways: readonly [ClientRoute, ...ClientRoute[]],
    before: CaughtClient | undefined,
  ): RootsRequest => {
    const { generation } = connection.memory.current();
    const { changes } = connection;
    const keep = async (reply: ClientAnswer): Promise<RequestResult> => {
      const answer = toAnswer(withPast(reply, before), connection.memory.current().answer);
      noteReply(connection, options.caught, { reply, before });
      if (answer === undefined) return 'gone';
      if (connection.changes !== changes) return 'changed';
      if (!(await connection.memory.keepAnswer(generation, answer))) return 'changed';
      connection.caughtUp();
      options.answered();
      return 'kept';
    };
    const reply = askClient({
      request: { method: 'roots/list' },
      ways,
      patience: options.patience * (waitedOnce || before?.fault === 'silent' ? nextChance : 1),
      signal: incoming?.signal,
      late: (late) => void (late.kind === 'answered' && keep(late).catch(() => undefined)),
    });
    const landed = reply.then((first) => {
      waitedOnce ||= first.kind === 'silent';
      return keep(first);
    });
    const started: RootsRequest = { generation, landed: landed.finally(() => end(started)) };
    return started;
  };
  const end = (ended: RootsRequest): void => {
    if (flight === ended) flight = undefined;
  };

  const ask = async (
    incoming: RequestFacts | undefined,
    { deadline, left, before }: AskBudget,
  ): Promise<RootsAnswer> => {
    const known = knownAnswer(connection, incoming);
    const [way, ...others] = connection.ways(incoming);
    if (isSettled(known) || known === forgotten || way === undefined) return known;
    const patience = deadline - performance.now();
    if (patience <= 0 || left === 0) return failed(connection, 'the roots kept changing');
    const shared = flight?.generation === connection.memory.current().generation ? flight : undefined;
    const current = shared ?? start(incoming, [way, ...others], before);
    flight = current;
    const landing = await bounded(current.landed, { patience: patience + grace, signal: incoming?.signal });
    if ('ended' in landing) return failed(connection, whyEnded[landing.ended]);
    if (landing.value === 'gone' && shared === undefined) return failed(connection, 'the call ended');
    const now = knownAnswer(connection, incoming);
    // The roots changed, or another caller's call ended, so their outcome is not ours.
    return landing.value === 'kept' && now.state !== 'unasked'
      ? now
      : ask(incoming, { deadline, left: left - 1, before });
  };

  return {
    known: () => knownAnswer(connection),
    async ask(incoming) {
      const before = await findCaught(connection, options.caught, incoming);
      return ask(incoming, { deadline: performance.now() + options.patience, left: mostAsks, before });
    },
  };
}

const whyEnded = { aborted: 'the call was cancelled', late: 'it did not answer in time' } as const;

/** The limits of one call's questions. */
interface AskBudget {
  readonly deadline: number;
  readonly left: number;
  readonly before: CaughtClient | undefined;
}

/** Looked up only before the client is asked for the first time. */
async function findCaught(
  connection: Connection,
  caught: CaughtClients | undefined,
  incoming: RequestFacts | undefined,
): Promise<CaughtClient | undefined> {
  const client = caught && connection.client(incoming);
  if (client === undefined || knownAnswer(connection, incoming).state !== 'unasked') return undefined;
  return caught?.find(client);
}

interface ReplyWithPast {
  readonly reply: ClientAnswer;
  readonly before: CaughtClient | undefined;
}

/** A client that answers after all is no longer remembered as one that does not. */
function noteReply(
  connection: Connection,
  caught: CaughtClients | undefined,
  { reply, before }: ReplyWithPast,
): void {
  const client = connection.client();
  if (caught === undefined || client === undefined) return;
  if (reply.kind === 'silent') caught.note(client, 'silent');
  else if (reply.kind === 'refused' && reply.unknown === true) caught.note(client, 'unknown-method');
  else if (reply.kind === 'answered' && before !== undefined) caught.note(client, undefined);
}

/** Adds to the reason of a failure that it is not the first one. */
function withPast(reply: ClientAnswer, before: CaughtClient | undefined): ClientAnswer {
  if (before === undefined || reply.kind === 'answered' || reply.kind === 'gone') return reply;
  return {
    ...reply,
    reason: `${reply.reason}; ${past[before.fault]} on ${before.at.slice(0, 10)}, so it was not waited for`,
  };
}

const past: { readonly [Fault in ClientFault]: string } = {
  silent: 'it did not answer',
  'unknown-method': 'it did not know the method',
};

/** Limit of questions per call, for a client whose roots change with every question. */
const mostAsks = 4;

/** Milliseconds beyond the patience, for an answer that arrives at the last moment. */
const grace = 250;

function knownAnswer(connection: Connection, incoming?: RequestFacts): RootsAnswer {
  if (connection.isForgotten) return forgotten;
  if (connection.capabilities(incoming)['roots'] === undefined) return { state: 'unsupported' };
  const { generation, answer, answered } = connection.memory.current();
  return answered === generation && !connection.isOutdated ? answer : { state: 'unasked' };
}

/** Such a session may have revoked roots, and its client may not be askable. */
const forgotten: RootsAnswer = {
  state: 'failed',
  afterChange: true,
  reason: 'nothing is remembered of its session',
};

/**
 * Whether the answer stands. A client that broke its promise is not asked again; one that revoked roots without
 * saying which is.
 */
export function isSettled(answer: RootsAnswer): boolean {
  return answer.state !== 'unasked' && !(answer.state === 'failed' && answer.afterChange);
}

function toAnswer(reply: ClientAnswer, before: RootsAnswer): RootsAnswer | undefined {
  switch (reply.kind) {
    case 'answered':
      return readRoots(reply.result, before);
    case 'refused':
    case 'silent':
      return { state: 'failed', afterChange: hadRoots(before), reason: reply.reason };
    case 'gone':
      return undefined;
  }
}

/** Reads a `roots/list` result, however it arrived. */
export function readRoots(result: unknown, before: RootsAnswer): RootsAnswer {
  const { roots } = fieldsOf(result);
  if (Array.isArray(roots)) return answerList(parseRoots(roots), before);
  return { state: 'failed', afterChange: hadRoots(before), reason: 'its answer is not a list of roots' };
}

function failed(connection: Connection, reason: string): RootsAnswer {
  return { state: 'failed', afterChange: hadRoots(connection.memory.current().answer), reason };
}
