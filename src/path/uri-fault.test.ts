import { expect, test } from 'vitest';
import { describeUriFault } from './uri-fault.ts';

test('a fault reads as the end of a sentence', () => {
  expect(describeUriFault({ fault: 'host' })).toBe('it names another host');
});

test('a detail says more than the rule', () => {
  expect(describeUriFault({ fault: 'name', detail: 'it names a device' })).toBe('it names a device');
});
