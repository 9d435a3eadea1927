import type { Root } from '../../path/root.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import type { KeyedDigest } from './sealing.ts';
import type { SessionRecord, SessionStart, ProjectSwitch } from './session-store.ts';

/**
 * A session as the engine keeps it: numbers and sealed texts; an empty text means absent. A seal covers the
 * session and the field, so an attacker who can write to the engine can delete a text or restore an older one of
 * the same session, but cannot forge one.
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

/** Bytes of a seal. Enough, because a guess can only be tried against a running node. */
export const sealSize = 16;

export function writeStart(seal: KeyedDigest, start: SessionStart): string {
  const { id, principal, protocolVersion, initialize } = start;
  return sealed(seal, id, 'start', [principal, protocolVersion, initialize]);
}

/** Splits an answer into its state and its roots; the roots are kept as the last list anyway. */
export function writeAnswer(
  seal: KeyedDigest,
  { id, generation }: Pick<SessionRecord, 'id' | 'generation'>,
  answer: RootsAnswer,
): { readonly answer: string; readonly listed: string } {
  const { roots, ...rest } = answer.state === 'listed' ? answer : { ...answer, roots: undefined };
  return {
    // The seal covers the generation: an older answer cannot pass for a newer one.
    answer: sealed(seal, id, 'answer', [generation, rest]),
    listed: roots === undefined ? '' : sealed(seal, id, 'listed', roots),
  };
}

export function writeSwitched(seal: KeyedDigest, id: string, switched: ProjectSwitch | undefined): string {
  return switched === undefined ? '' : sealed(seal, id, 'switched', switched);
}

/** The parts of a session that name its client and the project granted to it, in one text. */
export function writeGrant(seal: KeyedDigest, record: SessionRecord): string {
  return JSON.stringify([writeStart(seal, record), writeSwitched(seal, record.id, record.switched)]);
}

export function readGrant(seal: KeyedDigest, id: string, grant: string): SessionRecord | undefined {
  const [start, switched] = JSON.parse(grant) as readonly [string, string];
  return readFields(seal, id, [0, -1, start, '', '', switched]);
}

/** Reads the record; `undefined` if a field was not sealed by one of our nodes. */
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

/** Pairs of a text that an older key sealed and the same text under the newest key; empty with a single key. */
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

/** Returns false for a text that none of our keys sealed. */
function opened(seal: KeyedDigest, ...[id, name, text]: [string, FieldName, string]): unknown {
  if (text === '') return undefined;
  const json = text.slice(seal.length);
  return seal.matches(text.slice(0, seal.length), name, id, json) && (JSON.parse(json) as unknown);
}
