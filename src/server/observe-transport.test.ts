import { describe, expect, test } from 'vitest';
import { observeTransport } from './observe-transport.ts';
import type { WireTransport } from './protocol-server.ts';

/** What was seen, in order. */
function watch(transport: WireTransport): string[] {
  const seen: string[] = [];
  observeTransport(transport, {
    message: (message) => seen.push(`saw ${(message as { id: number }).id}`),
    close: () => seen.push('closed'),
  });
  return seen;
}

describe('a transport that is watched', () => {
  test('shows each message before the server gets it', () => {
    const transport: WireTransport = {};
    const seen = watch(transport);
    transport.onmessage = (message) => seen.push(`got ${(message as { id: number }).id}`);
    transport.onmessage({ id: 1 });
    transport.onmessage({ id: 2 });
    expect(seen).toEqual(['saw 1', 'got 1', 'saw 2', 'got 2']);
  });

  test('shows each message before the server gets it, where an SDK chains what was there', () => {
    const transport: WireTransport = {};
    const before: string[] = [];
    transport.onmessage = () => before.push('before');
    const seen = watch(transport);
    const chained = transport.onmessage;
    transport.onmessage = (message, extra) => {
      chained(message, extra);
      seen.push('got');
    };
    transport.onmessage({ id: 1 });
    expect(new Set(seen.slice(0, -1))).toEqual(new Set(['saw 1']));
    expect(seen.at(-1)).toBe('got');
    expect(before).toEqual(['before']);
  });

  test('shows it also where an SDK forgets what was there', () => {
    const transport: WireTransport = {};
    const seen = watch(transport);
    transport.onmessage = () => seen.push('forgotten');
    transport.onmessage = () => seen.push('got');
    transport.onmessage({ id: 1 });
    expect(seen).toEqual(['saw 1', 'got']);
  });

  test('tells its end once', () => {
    const transport: WireTransport = {};
    const seen = watch(transport);
    let ended = 0;
    transport.onclose = () => (ended += 1);
    transport.onclose();
    transport.onclose();
    expect(seen).toEqual(['closed']);
    expect(ended).toBe(2);
  });

  test('hands on what came with a message', () => {
    const transport: WireTransport = {};
    watch(transport);
    let extra: unknown;
    transport.onmessage = (_message, more) => (extra = more);
    transport.onmessage({ id: 1 }, { authInfo: 5 });
    expect(extra).toEqual({ authInfo: 5 });
  });

  test('may wrap another one, with accessors of its own', () => {
    const inner: WireTransport = {};
    class Wrapper implements WireTransport {
      get onmessage(): WireTransport['onmessage'] {
        return inner.onmessage;
      }
      set onmessage(callback: WireTransport['onmessage']) {
        inner.onmessage = callback;
      }
      get onclose(): WireTransport['onclose'] {
        return inner.onclose;
      }
      set onclose(callback: WireTransport['onclose']) {
        inner.onclose = callback;
      }
    }
    const transport = new Wrapper();
    const seen = watch(transport);
    transport.onmessage = () => seen.push('got');
    inner.onmessage?.({ id: 1 });
    expect(seen).toEqual(['saw 1', 'got']);
  });

  test('may be watched by two', () => {
    const transport: WireTransport = {};
    const one = watch(transport);
    const two = watch(transport);
    transport.onmessage = () => undefined;
    transport.onmessage({ id: 1 });
    expect([one, two]).toEqual([['saw 1'], ['saw 1']]);
  });

  test('can be freed of its callbacks', () => {
    const transport: WireTransport = {};
    watch(transport);
    transport.onmessage = () => undefined;
    transport.onmessage = undefined;
    expect(transport.onmessage).toBeUndefined();
  });
});
