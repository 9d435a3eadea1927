import { describe, expect, test } from 'vitest';
import { type ParsedStore, parseStore } from './parse-store.ts';
import type { StoreDocument } from './store-document.ts';
import { UndoHistory, undoIn } from './undo-history.ts';

const context = { file: 'roots.jsonc', home: '/', platform: 'posix' } as const;

function store(names: string, changes: Partial<StoreDocument> = {}): ParsedStore {
  const roots = Array.from(names, (name) => ({ path: `/${name}`, name }));
  return parseStore(JSON.stringify({ version: 1, revision: 1, roots, ...changes }), context);
}

function namesOf({ document }: { readonly document: StoreDocument }): string {
  return document.roots.map(({ name }) => name).join('');
}

describe('undoing', () => {
  test('restores the text if nothing changed since', () => {
    const [before, after] = [store('ab'), store('a')];
    expect(undoIn(after, { before, after })).toEqual({ document: before.document, text: before.text });
  });

  test.each([
    ['an addition', ['ab', 'abc', 'abcd', 'abd']],
    ['a removal, at its place', ['abc', 'ac', 'acd', 'abcd']],
    ['a removal from the end', ['abc', 'ab', 'b', 'bc']],
    ['nothing but its own', ['ab', 'abc', 'xaybcz', 'xaybz']],
  ] as const)('undoes %s', (_what, [before, after, current, expected]) => {
    expect(namesOf(undoIn(store(current), { before: store(before), after: store(after) }))).toBe(expected);
  });

  test('restores a record in its current position', () => {
    const [before, after] = [store('ab'), store('aB')];
    expect(namesOf(undoIn(store('xaBy'), { before, after }))).toBe('xaby');
  });

  test('refuses if the same entry was changed again', () => {
    const step = { before: store('a'), after: store('ab') };
    expect(() => undoIn(store('ac'), step)).toThrow(expect.objectContaining({ code: 'CANNOT_UNDO' }));
  });

  test('restores server lists one by one', () => {
    const step = {
      before: store('a', { servers: { x: {} } }),
      after: store('a', { servers: { y: { roots: [] } } }),
    };
    const others = store('a', { servers: { y: { roots: [] }, z: {} } });
    expect(undoIn(others, step).document.servers).toEqual({ z: {}, x: {} });
    const touched = store('a', { servers: { y: { roots: ['/a'] } } });
    expect(() => undoIn(touched, step)).toThrow('the same entry was changed again');
  });
});

describe('the history', () => {
  test('keeps the last 20 changes', () => {
    const history = new UndoHistory();
    expect(history.last).toBeUndefined();
    for (let count = 0; count < 25; count += 1)
      history.push({ before: store(''), after: store('', { revision: count }) });
    let length = 0;
    for (; history.last !== undefined; length += 1) history.drop(undefined);
    expect(length).toBe(20);
  });

  test('knows the content of the file after an undo', () => {
    const history = new UndoHistory();
    history.push({ before: store(''), after: store('a') });
    history.push({ before: store('a'), after: store('ab') });
    const now = store('a', { revision: 3 });
    history.drop(now);
    expect(history.last?.after).toBe(now);
  });
});
