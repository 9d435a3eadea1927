import type { Root } from '../../path/root.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import type { KeyedDigest } from './sealing.ts';
import type { SessionRecord, SessionStart, ProjectSwitch } from './session-store.ts';

/**
 * A session as the engine keeps it: numbers and sealed texts. An empty text is nothing. A seal covers which
 * session and which field it is for: whoever can write to the engine can take a text away or bring back an
 * older one of the same session, and cannot make one up.
 */
export type SessionFields = readonly [
  generation: number,
  answered: number,
  start: string,
  answer: string,
  listed: string,
  switched: string,
];

type FieldName = 'start' | 'answer' | 'listed' | 'switched';

const names: readonly FieldName[] = ['start', 'answer', 'listed', 'switched'];

/** Bytes of a seal: nobody can try this one out on a machine of their own. */
export const sealSize = 16;

export function writeStart(seal: KeyedDigest, start: SessionStart): string {
  const { id, principal, protocolVersion, initialize } = start;
  return sealed(seal, id, 'start', [principal, protocolVersion, initialize]);
}

/** The answer without its roots, and the roots: they would be kept twice. */
export function writeAnswer(
  seal: KeyedDigest,
  { id, generation }: Pick<SessionRecord, 'id' | 'generation'>,
  answer: RootsAnswer,
): { readonly answer: string; readonly listed: string } {
  const { roots, ...rest } = answer.state === 'listed' ? answer : { ...answer, roots: undefined };
  return {
    // With what it was an answer to: an older one cannot pass for a newer one.
    answer: sealed(seal, id, 'answer', [generation, rest]),
    listed: roots === undefined ? '' : sealed(seal, id, 'listed', roots),
  };
}

export function writeSwitched(seal: KeyedDigest, id: string, switched: ProjectSwitch | undefined): string {
  return switched === undefined ? '' : sealed(seal, id, 'switched', switched);
}

/** The record; `undefined` if somebody else has written in it. */
export function readFields(seal: KeyedDigest, id: string, fields: SessionFields): SessionRecord | undefined {
  const [generation, answered, ...texts] = fields;
  const [start, answer, listed, switched] = names.map((name, index) =>
    opened(seal, id, name, texts[index] ?? ''),
  );
  const forged = [start, answer, listed, switched].includes(false);
  if (forged || !Array.isArray(start)) return undefined;
  const [principal, protocolVersion, initialize] = start as [string, string, unknown];
  const roots = listed as readonly Root[] | undefined;
  const [asked, known] = (answer as [number, RootsAnswer] | undefined) ?? [-1, { state: 'unasked' }];
  return {
    id,
    principal,
    protocolVersion,
    initialize,
    generation,
    answer: known.state === 'listed' ? { ...known, roots: roots ?? [] } : known,
    answered: asked === answered ? answered : -1,
    ...(roots === undefined ? {} : { listed: roots }),
    ...(switched === undefined ? {} : { switched: switched as ProjectSwitch }),
  };
}

/** Texts that an older key has sealed, each followed by the same under the newest; nothing while there is one. */
export function resealFields(seal: KeyedDigest, id: string, fields: SessionFields): readonly string[] {
  if (!seal.changing) return [];
  const [, , ...texts] = fields;
  return names.flatMap((name, index) => {
    const text = texts[index] ?? '';
    const json = text.slice(seal.length);
    const fresh = `${seal.of(name, id, json)}${json}`;
    return text === '' || text === fresh ? [] : [text, fresh];
  });
}

function sealed(seal: KeyedDigest, ...[id, name, value]: [string, FieldName, unknown]): string {
  const json = JSON.stringify(value);
  return `${seal.of(name, id, json)}${json}`;
}

/** False if it is not one of ours. */
function opened(seal: KeyedDigest, ...[id, name, text]: [string, FieldName, string]): unknown {
  if (text === '') return undefined;
  const json = text.slice(seal.length);
  return seal.matches(text.slice(0, seal.length), name, id, json) && (JSON.parse(json) as unknown);
}
