import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseRoots } from '../../path/root.ts';
import type { RootsAnswer } from '../../workspace/sources/roots-answer.ts';
import { createKeyedDigest } from './sealing.ts';
import {
  readFields,
  resealFields,
  sealSize,
  type SessionFields,
  writeAnswer,
  writeStart,
  writeSwitched,
} from './session-fields.ts';

const secret = randomBytes(32);
const seal = createKeyedDigest([secret], 'records', sealSize);
const start = { id: 'a', principal: 'me', protocolVersion: '2025-11-25', initialize: { x: [null, 'ä\0'] } };
const { roots } = parseRoots([{ uri: 'file:///srv/app', name: 'app' }], { platform: 'posix' });

function fieldsOf(answer: RootsAnswer, generation = 1): SessionFields {
  const texts = writeAnswer(seal, { id: 'a', generation }, answer);
  return [generation, generation, writeStart(seal, start), texts.answer, texts.listed, ''];
}

test('a session that was never asked has only its start', () => {
  expect(readFields(seal, 'a', [0, -1, writeStart(seal, start), '', '', ''])).toEqual({
    ...start,
    generation: 0,
    answered: -1,
    answer: { state: 'unasked' },
  });
});

test.each<RootsAnswer>([
  { state: 'unsupported' },
  { state: 'empty', revoked: true },
  { state: 'failed', afterChange: true, reason: 'no' },
  { state: 'listed', roots },
  { state: 'listed', roots: [], issues: [] },
])('an answer is read as it was written: %j', (answer) => {
  expect(readFields(seal, 'a', fieldsOf(answer))).toMatchObject({ answer, answered: 1 });
});

test('roots are written once', () => {
  const { answer } = writeAnswer(seal, { id: 'a', generation: 0 }, { state: 'listed', roots });
  expect(answer).not.toContain('/srv/app');
});

test('no text can be changed, forged, or taken from another session or field', () => {
  const fields = fieldsOf({ state: 'listed', roots });
  const [generation, answered, begun, answer, listed] = fields;
  const switched = writeSwitched(seal, 'a', { text: '/srv/app' });
  const read = (...changed: SessionFields) => readFields(seal, 'a', changed);
  // The same fields as they are can be read.
  expect(read(generation, answered, begun, answer, listed, switched)).toBeDefined();
  const forged: readonly SessionFields[] = [
    [generation, answered, begun.replace('"me"', '"it"'), answer, listed, switched],
    [generation, answered, begun, answer, listed.replaceAll('app', 'etc'), switched],
    [generation, answered, begun, answer, listed, switched.replace('app', 'etc')],
    [generation, answered, begun, answer, listed, '{"text":"/etc","consented":true}'],
    [generation, answered, begun, answer, switched, listed],
    [generation, answered, '', answer, listed, switched],
  ];
  for (const changed of forged) expect(read(...changed)).toBeUndefined();
  expect(readFields(seal, 'b', fields)).toBeUndefined();
});

test('an older answer does not count for a newer question', () => {
  const [, , begun, answer, listed] = fieldsOf({ state: 'listed', roots }, 1);
  expect(readFields(seal, 'a', [2, 2, begun, answer, listed, ''])).toMatchObject({ answered: -1 });
});

test('texts are sealed again while the key changes', () => {
  const changing = createKeyedDigest([randomBytes(32), secret], 'records', sealSize);
  const fields = fieldsOf({ state: 'listed', roots });
  const [generation, answered] = fields;
  const fresh = resealFields(changing, 'a', fields);
  expect(fresh.filter((_, index) => index % 2 === 0)).toEqual(fields.slice(2, 5));
  const [one = '', two = '', three = ''] = fresh.filter((_, index) => index % 2 === 1);
  const after: SessionFields = [generation, answered, one, two, three, ''];
  expect(readFields(changing, 'a', after)).toEqual(readFields(seal, 'a', fields));
  expect(resealFields(changing, 'a', after)).toEqual([]);
  expect(resealFields(seal, 'a', fields)).toEqual([]);
});
