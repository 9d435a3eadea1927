import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import { type ClientRoots, isSettled } from '../connection/client-roots.ts';
import type { Connection } from '../connection/connection.ts';
import type { Remembered } from '../connection/connection-memory.ts';

/** What a composition depends on, as plain data: where it is the same, so is the composition. */
export type Facts = readonly unknown[];

export function factsOf(connection: Connection, answer: RootsAnswer, said: number | undefined): Facts {
  const { switched, initialize, listed } = connection.memory.current();
  return [
    answer.state === 'unasked' || answer.state === 'unsupported' ? answer.state : answer,
    switched,
    initialize,
    listed,
    said,
    // Who comes over HTTP cannot widen: what was put together for others is not theirs.
    connection.overHttp,
  ];
}

/** The facts of a connection, unless its client has to be asked first. */
export type FactsAtHand = () => Facts | undefined;

/** Every call begins with them and they change seldom: as long as nothing did, they are one list. */
export function createFactsAtHand(connection: Connection, roots: ClientRoots): FactsAtHand {
  let last: Look | undefined;
  return () => {
    const remembered = connection.memory.current();
    const { isOutdated, overHttp } = connection;
    if (last?.remembered !== remembered || last.isOutdated !== isOutdated || last.overHttp !== overHttp) {
      const answer = roots.known();
      const facts = isSettled(answer) ? factsOf(connection, answer, undefined) : undefined;
      last = { remembered, isOutdated, overHttp, facts };
    }
    return last.facts;
  };
}

interface Look {
  readonly remembered: Remembered;
  readonly isOutdated: boolean;
  readonly overHttp: boolean;
  readonly facts: Facts | undefined;
}
