import { expect, test } from 'vitest';
import { Arrival } from './arrival.ts';

test('it hands to the handler what the SDK gave, and reads the parameters of both kinds', () => {
  const handler = (first: unknown, context: unknown): unknown => [first, context];
  const request = { method: 'tools/call', params: { name: 'a' } };
  const whole = new Arrival({ method: 'tools/call', handler, bare: false }, request, 'context');
  expect([whole.method, whole.params, whole.run()]).toEqual([
    'tools/call',
    { name: 'a' },
    [request, 'context'],
  ]);
  const bare = new Arrival({ method: 'x/own', handler, bare: true }, { name: 'b' }, 'context');
  expect([bare.params, bare.run()]).toEqual([{ name: 'b' }, [{ name: 'b' }, 'context']]);
});

test.each([undefined, null, 5, { method: 'ping' }, { params: 'text' }])('%j has no parameters', (first) => {
  const arrival = new Arrival({ method: 'ping', handler: () => undefined, bare: false }, first, {});
  expect(arrival.params).toEqual({});
});
