import { fieldsOf } from '../../base/fields.ts';
import { bounded } from '../../base/wait.ts';
import { parseRoots } from '../../path/root.ts';
import { answerList, hadRoots, type RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import { type RequestFacts } from '../sdk/call-context.ts';
import { askClient, type ClientAnswer, type ClientRoute } from './ask-client.ts';
import type { Connection } from './connection.ts';

/** The roots of one client that can be asked at any time: a revision before 2026-07-28. */
export interface ClientRoots {
  /** What is known, without asking; `unasked` also where a change made it void. */
  known(): RootsAnswer;
  /** What the client says: asked once until it says that they changed, and waited for no longer than patience. */
  ask(incoming?: RequestFacts): Promise<RootsAnswer>;
}

export interface ClientRootsOptions {
  /** Milliseconds. */
  readonly patience: number;
  /** An answer was kept, maybe after nobody waited for it any more. */
  readonly answered: () => void;
}

/** One question on its way. Calls that need the answer meanwhile share it. */
interface RootsRequest {
  readonly generation: number;
  readonly landed: Promise<RequestResult>;
}

/** `changed`: the roots did, while the question was on its way. `gone`: the call that carried it has ended. */
type RequestResult = 'kept' | 'changed' | 'gone';

/** A client that let us wait once gets this part of the patience from then on. */
const nextChance = 0.1;

export function createClientRoots(connection: Connection, options: ClientRootsOptions): ClientRoots {
  let flight: RootsRequest | undefined;
  let waitedOnce = false;

  const start = (
    incoming: RequestFacts | undefined,
    ways: readonly [ClientRoute, ...ClientRoute[]],
  ): RootsRequest => {
    const { generation } = connection.memory.current();
    const { changes } = connection;
    const keep = async (reply: ClientAnswer): Promise<RequestResult> => {
      const answer = toAnswer(reply, connection.memory.current().answer);
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
      patience: options.patience * (waitedOnce ? nextChance : 1),
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
    { deadline, left }: AskBudget,
  ): Promise<RootsAnswer> => {
    const known = knownAnswer(connection, incoming);
    const [way, ...others] = connection.ways(incoming);
    if (isSettled(known) || known === forgotten || way === undefined) return known;
    const patience = deadline - performance.now();
    if (patience <= 0 || left === 0) return failed(connection, 'the roots kept changing');
    const shared = flight?.generation === connection.memory.current().generation ? flight : undefined;
    const current = shared ?? start(incoming, [way, ...others]);
    flight = current;
    const landing = await bounded(current.landed, { patience: patience + grace, signal: incoming?.signal });
    if ('ended' in landing) return failed(connection, whyEnded[landing.ended]);
    if (landing.value === 'gone' && shared === undefined) return failed(connection, 'the call ended');
    const now = knownAnswer(connection, incoming);
    // A change in between, or the end of somebody else's call: what they got is not ours.
    return landing.value === 'kept' && now.state !== 'unasked'
      ? now
      : ask(incoming, { deadline, left: left - 1 });
  };

  return {
    known: () => knownAnswer(connection),
    ask: (incoming) => ask(incoming, { deadline: performance.now() + options.patience, left: mostAsks }),
  };
}

const whyEnded = { aborted: 'the call was cancelled', late: 'it did not answer in time' } as const;

/** What one call may spend on the question. */
interface AskBudget {
  readonly deadline: number;
  readonly left: number;
}

/** A client whose roots change with every question gets no more of them from one call. */
const mostAsks = 4;

/** The question bounds itself; this is for the answer that comes in the last moment. */
const grace = 250;

function knownAnswer(connection: Connection, incoming?: RequestFacts): RootsAnswer {
  if (connection.isForgotten) return forgotten;
  if (connection.capabilities(incoming)['roots'] === undefined) return { state: 'unsupported' };
  const { generation, answer, answered } = connection.memory.current();
  return answered === generation && !connection.isOutdated ? answer : { state: 'unasked' };
}

/** It cannot be told what such a session took back, nor whether its client can be asked. */
const forgotten: RootsAnswer = {
  state: 'failed',
  afterChange: true,
  reason: 'nothing is remembered of its session',
};

/** A client that lied is not asked again; one that took something back and does not say what, is. */
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

/** Reads the result of `roots/list`, in whatever way it came. */
export function readRoots(result: unknown, before: RootsAnswer): RootsAnswer {
  const { roots } = fieldsOf(result);
  if (Array.isArray(roots)) return answerList(parseRoots(roots), before);
  return { state: 'failed', afterChange: hadRoots(before), reason: 'its answer is not a list of roots' };
}

function failed(connection: Connection, reason: string): RootsAnswer {
  return { state: 'failed', afterChange: hadRoots(connection.memory.current().answer), reason };
}
