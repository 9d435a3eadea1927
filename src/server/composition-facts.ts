import type { RootsAnswer } from '../workspace/roots-answer.ts';
import type { Connection } from './connection.ts';

/** What a composition depends on, as plain data: where it is the same, so is the composition. */
export type FactsOf = (answer: RootsAnswer, said: number | undefined) => readonly unknown[];

/** The facts of one connection. They change seldom, and every call asks for them: equal ones are one list. */
export function createFacts(connection: Connection): FactsOf {
  let basis: readonly unknown[] = [];
  let facts: readonly unknown[] = [];
  return (answer, said) => {
    const remembered = connection.memory.current();
    const { overHttp } = connection;
    if (basis[0] === remembered && basis[1] === answer && basis[2] === said && basis[3] === overHttp)
      return facts;
    const { switched, initialize, listed } = remembered;
    basis = [remembered, answer, said, overHttp];
    facts = [
      answer.state === 'unasked' || answer.state === 'unsupported' ? answer.state : answer,
      switched,
      initialize,
      listed,
      said,
      // Who comes over HTTP cannot widen: what was put together for others is not theirs.
      overHttp,
    ];
    return facts;
  };
}
