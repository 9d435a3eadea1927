import { expect, test } from 'vitest';
import { nodeFault } from './node-fault.ts';

test('says in one sentence that Node.js is too old, and nothing otherwise', () => {
  for (const old of ['0.12.18', '18.20.4', '19.9.0'])
    expect(nodeFault(old)).toBe(
      `rootward needs Node.js 20 or later, and this is ${old}: install a newer one`,
    );
  for (const good of ['20.0.0', '22.11.0', '100.1.1']) expect(nodeFault(good)).toBeUndefined();
});
