import type { Root } from '../path/root.ts';
import type { RootsAnswer } from '../workspace/roots-answer.ts';
import type { SessionRecord, SessionStart, Switched } from './session-store.ts';

/** A session as the engine keeps it: numbers and texts. An empty text is nothing. */
export type SessionFields = readonly [
  generation: number,
  answered: number,
  start: string,
  answer: string,
  listed: string,
  switched: string,
];

export function writeStart({ principal, protocolVersion, initialize }: SessionStart): string {
  return JSON.stringify([principal, protocolVersion, initialize]);
}

/** The answer without its roots, and the roots: they would be kept twice. */
export function writeAnswer(answer: RootsAnswer): { readonly answer: string; readonly listed: string } {
  if (answer.state !== 'listed') return { answer: JSON.stringify(answer), listed: '' };
  const { roots, ...rest } = answer;
  return { answer: JSON.stringify(rest), listed: JSON.stringify(roots) };
}

export function readFields(id: string, fields: SessionFields): SessionRecord {
  const [generation, answered, start, answer, listed, switched] = fields;
  const [principal, protocolVersion, initialize] = JSON.parse(start) as [string, string, unknown];
  const roots = listed === '' ? undefined : (JSON.parse(listed) as readonly Root[]);
  return {
    id,
    principal,
    protocolVersion,
    initialize,
    generation,
    answer: readAnswer(answer, roots ?? []),
    answered,
    ...(roots === undefined ? {} : { listed: roots }),
    ...(switched === '' ? {} : { switched: JSON.parse(switched) as Switched }),
  };
}

function readAnswer(text: string, roots: readonly Root[]): RootsAnswer {
  if (text === '') return { state: 'unasked' };
  const answer = JSON.parse(text) as RootsAnswer;
  return answer.state === 'listed' ? { ...answer, roots } : answer;
}
