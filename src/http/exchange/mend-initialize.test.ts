import { describe, expect, test } from 'vitest';
import { mendEnvelope, mendInitialize } from './mend-initialize.ts';

const right = {
  protocolVersion: '2025-11-25',
  capabilities: { roots: { listChanged: true } },
  clientInfo: { name: 'client', version: '1' },
};

test('an initialize without mistakes stays the same object', () => {
  const { params, repairs } = mendInitialize(right);
  expect(params).toBe(right);
  expect(repairs).toEqual([]);
});

describe('repairs', () => {
  test.each<[title: string, given: object, mended: object, repairs: number]>([
    ['roots: true', { capabilities: { roots: true } }, { capabilities: { roots: {} } }, 1],
    ['roots: null', { capabilities: { roots: null, sampling: {} } }, { capabilities: { sampling: {} } }, 1],
    [
      'listChanged that is a text',
      { capabilities: { roots: { listChanged: 'yes' } } },
      { capabilities: { roots: {} } },
      1,
    ],
    ['capabilities that are missing', { capabilities: undefined }, { capabilities: {} }, 1],
    [
      'a version that is missing',
      { clientInfo: { name: 'c' } },
      { clientInfo: { name: 'c', version: 'unknown' } },
      1,
    ],
    [
      'a version that is a number',
      { clientInfo: { name: 'c', version: 2 } },
      { clientInfo: { name: 'c', version: '2' } },
      1,
    ],
    [
      'a client that is missing',
      { clientInfo: undefined },
      { clientInfo: { name: 'unknown', version: 'unknown' } },
      2,
    ],
    ['a revision of the future', { protocolVersion: '2099-01-01' }, { protocolVersion: '2099-01-01' }, 1],
    ['a revision that is missing', { protocolVersion: undefined }, { protocolVersion: 'unknown' }, 1],
  ])('%s', (_title, given, mended, count) => {
    const { params, repairs } = mendInitialize({ ...right, ...given, rootUri: 'file:///app' });
    expect(params).toEqual({ ...right, ...mended, rootUri: 'file:///app' });
    expect(repairs).toHaveLength(count);
  });

  test('everything, if there is nothing', () => {
    expect(mendInitialize(undefined).repairs).toHaveLength(4);
  });
});

describe('the metadata of a request of 2026-07-28', () => {
  const requestWith = (capabilities: unknown, clientInfo?: unknown): object => ({
    id: 1,
    method: 'tools/list',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': capabilities,
        ...(clientInfo !== undefined && { 'io.modelcontextprotocol/clientInfo': clientInfo }),
      },
    },
  });

  test('is repaired like an initialize', () => {
    const { message, repairs } = mendEnvelope(requestWith({ roots: true }, { name: 'c' }));
    expect(message).toEqual(requestWith({ roots: {} }, { name: 'c', version: 'unknown' }));
    expect(repairs).toHaveLength(2);
  });

  test.each([
    ['without mistakes', requestWith({ roots: {} }, { name: 'c', version: '1' })],
    ['without a client', requestWith({})],
    ['without capabilities, which the revision refuses', requestWith(undefined)],
    ['without metadata', { id: 1, method: 'tools/list' }],
    ['that is a list', [requestWith({ roots: true })]],
  ])('%s stays the same object', (_title, given) => {
    expect(mendEnvelope(given)).toEqual({ message: given, repairs: [] });
    expect(mendEnvelope(given).message).toBe(given);
  });
});
