import { expect, test } from 'vitest';
import { parseRoots } from '../../path/root.ts';
import { createMemory } from './connection-memory.ts';

const { roots } = parseRoots([{ uri: 'file:///app' }]);
const listed = { state: 'listed', roots } as const;

test('knows nothing in the beginning', () => {
  expect(createMemory().current()).toEqual({ generation: 0, answer: { state: 'unasked' }, answered: -1 });
});

test('an answer counts for the generation that was asked about', async () => {
  const memory = createMemory();
  const { generation } = memory.current();
  await memory.invalidate();
  expect(await memory.keepAnswer(generation, listed)).toBe(false);
  expect(memory.current()).toMatchObject({ generation: 1, answered: -1, answer: { state: 'unasked' } });
  expect(await memory.keepAnswer(1, listed)).toBe(true);
  expect(memory.current()).toMatchObject({ generation: 1, answered: 1, answer: listed, listed: roots });
});

test('a change leaves what was said, and it is out of date', async () => {
  const memory = createMemory();
  await memory.keepAnswer(0, listed);
  await memory.invalidate();
  const { generation, answered, answer } = memory.current();
  expect(answered).toBeLessThan(generation);
  expect(answer).toBe(listed);
});

test('the last list that could be read stays, whatever is said afterwards', async () => {
  const memory = createMemory();
  await memory.keepAnswer(0, listed);
  await memory.keepAnswer(0, { state: 'failed', afterChange: true, reason: 'no answer' });
  expect(memory.current()).toMatchObject({ answer: { state: 'failed' }, listed: roots });
});

test('a switch comes and goes, and initialize stays', async () => {
  const memory = createMemory({ generation: 7 });
  await memory.keepInitialize({ rootUri: 'file:///app' });
  await memory.keepSwitched({ text: 'app' });
  expect(memory.current()).toMatchObject({ generation: 7, switched: { text: 'app' } });
  await memory.keepSwitched(undefined);
  expect(memory.current()).not.toHaveProperty('switched');
  expect(memory.current().initialize).toEqual({ rootUri: 'file:///app' });
});

test('what was handed out does not change', async () => {
  const memory = createMemory();
  const before = memory.current();
  await memory.keepAnswer(0, listed);
  expect(before.answer).toEqual({ state: 'unasked' });
});
