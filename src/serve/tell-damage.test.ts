import { expect, test } from 'vitest';
import type { StoreListener } from '../client/store/root-store.ts';
import { RootwardError } from '../errors.ts';
import { tellDamage } from './tell-damage.ts';

const snapshot = { revision: 1, roots: [], servers: {} };

function damage(line: number): RootwardError {
  return new RootwardError('STORE_DAMAGED', { file: '/roots.jsonc', line, column: 2, reason: 'no' });
}

test('tells each damage once, and the repair, and nothing of other changes', () => {
  const lines: string[] = [];
  const events: object[] = [];
  let tell: StoreListener = () => {};
  const subscribe = (listener: StoreListener): (() => void) => {
    tell = listener;
    return () => {};
  };
  tellDamage(
    { subscribe },
    { stderr: { write: (text) => void lines.push(text) }, log: (event) => void events.push(event) },
  );
  const said = [undefined, damage(1), damage(1), damage(3), undefined, undefined];
  for (const each of said) tell({ snapshot, by: 'elsewhere', damage: each, edited: false });
  expect(lines).toEqual([
    expect.stringMatching(/^rootward: Cannot use .*line 1, column 2.*still counts.*\n$/),
    expect.stringContaining('line 3'),
    expect.stringContaining('can be read again'),
  ]);
  expect(events).toMatchObject([{ state: 'damaged' }, { state: 'damaged' }, { state: 'repaired' }]);
});
