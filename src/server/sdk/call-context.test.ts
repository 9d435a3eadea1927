import { describe, expect, test } from 'vitest';
import { cameOverHttp, markIn, readContext, requestIn, sessionOf } from './call-context.ts';

const { signal } = new AbortController();

const markOf = (context: unknown): object | undefined => markIn(requestIn(context));

describe('a context', () => {
  test('of SDK v1', async () => {
    const sent: unknown[] = [];
    const context = {
      signal,
      sessionId: 's',
      _meta: { a: 1 },
      requestInfo: {},
      sendRequest: async (...args: unknown[]) => void sent.push(...args),
    };
    const incoming = readContext(context);
    expect(incoming).toMatchObject({
      signal,
      sessionId: 's',
      meta: { a: 1 },
      responses: {},
      dropped: [],
    });
    await incoming.send?.({ method: 'roots/list' }, { timeout: 5 });
    expect(sent).toEqual([{ method: 'roots/list' }, expect.anything(), { timeout: 5 }]);
  });

  test('of SDK v2', () => {
    const context = {
      sessionId: undefined,
      http: undefined,
      mcpReq: {
        signal,
        _meta: { a: 1 },
        envelope: { b: 2 },
        inputResponses: { c: 3 },
        droppedInputResponseKeys: ['d', 5],
        send: () => {
          throw new Error('at once');
        },
      },
    };
    const incoming = readContext(context);
    expect(incoming).toMatchObject({
      signal,
      meta: { a: 1 },
      envelope: { b: 2 },
      responses: { c: 3 },
      dropped: ['d'],
    });
    return expect(incoming.send?.({ method: 'x' }, { timeout: 1 })).rejects.toThrow('at once');
  });

  test('over HTTP in SDK v2', () => {
    expect(cameOverHttp({ http: { req: {} }, mcpReq: {} })).toBe(true);
    expect(cameOverHttp({ http: { authInfo: {} }, mcpReq: {} })).toBe(true);
    expect(cameOverHttp({ http: undefined, mcpReq: {} })).toBe(false);
  });

  test('over HTTP in SDK v1', () => {
    expect(cameOverHttp({ signal, requestInfo: { headers: {} } })).toBe(true);
    expect(cameOverHttp({ signal, requestInfo: undefined })).toBe(false);
  });

  test.each([
    undefined,
    null,
    5,
    'text',
    {},
    { mcpReq: null },
    { signal: {}, sessionId: 5, mcpReq: { send: 'no' } },
  ])('that is %j has no facts, and does not fail', (context) => {
    expect(readContext(context)).toMatchObject({ signal: undefined, sessionId: undefined, send: undefined });
    expect(sessionOf(context)).toBeUndefined();
  });

  test('is identified by its signal, in all copies', () => {
    expect(markOf({ signal })).toBe(signal);
    expect(markOf({ mcpReq: { signal } })).toBe(signal);
    expect([undefined, null, 5, {}, { mcpReq: null }].map(markOf)).toEqual(Array(5).fill(undefined));
    const context = { mcpReq: { signal } };
    expect(markOf({ ...context, mcpReq: { ...context.mcpReq } })).toBe(signal);
  });
});
