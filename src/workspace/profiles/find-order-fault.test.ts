import { describe, expect, test } from 'vitest';
import { findOrderFault } from './find-order-fault.ts';
import type { SourceName } from '../sources/source-name.ts';
import { sourceNames } from '../sources/all-sources.ts';

describe('an order', () => {
  test.each<[readonly SourceName[]]>([
    [sourceNames],
    [['walk-up']],
    [['walk-up', 'client-env']],
    [['roots', 'pwd', 'walk-up', 'client-env']],
    [['client-env', 'operator', 'walk-up']],
  ])('may be %j', (order) => {
    expect(findOrderFault(order)).toBeUndefined();
  });

  test.each<[readonly SourceName[], string, string]>([
    [[], '', 'at least one source is expected'],
    [['roots', 'walk-up', 'roots'], '[2]', 'roots is expected once'],
    [['walk-up', 'roots'], '[1]', 'roots is expected before walk-up'],
    [['roots', 'argument'], '[1]', 'argument is expected before roots'],
    [['client-env', 'request-meta'], '[1]', 'request-meta is expected before client-env'],
    [['walk-up', 'operator'], '[1]', 'operator is expected before walk-up'],
  ])('cannot be %j', (order, at, words) => {
    expect(findOrderFault(order)).toEqual({ at, reason: expect.stringContaining(words) });
  });
});
