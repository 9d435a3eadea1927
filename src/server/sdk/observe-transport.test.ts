import { describe, expect, test } from 'vitest';
import { observeTransport } from './observe-transport.ts';
import type { StartableTransport, WireTransport } from './protocol-server.ts';

/** A transport that delivers one message with its start, like one with buffered input. */
class Plain implements StartableTransport {
  onmessage: WireTransport['onmessage'];
  onclose: WireTransport['onclose'];
  started = 0;

  async start(): Promise<void> {
    this.started += 1;
    this.onmessage?.({ id: 0 }, { authInfo: this.started });
  }
}

/** The events, in order. */
function watch(transport: StartableTransport, as = 'saw'): string[] {
  const seen: string[] = [];
  observeTransport(transport, {
    message: (message) => seen.push(`${as} ${idOf(message)}`),
    close: () => seen.push('closed'),
  });
  return seen;
}

function idOf(message: unknown): number {
  return (message as { id: number }).id;
}

describe('an observed transport', () => {
  test('reports each message before the server gets it, from the first on', async () => {
    const transport = new Plain();
    const seen = watch(transport);
    transport.onmessage = (message) => seen.push(`got ${idOf(message)}`);
    await transport.start();
    transport.onmessage({ id: 1 });
    expect(seen).toEqual(['saw 0', 'got 0', 'saw 1', 'got 1']);
  });

  test('reports it once, whether an SDK keeps or replaces the callbacks', async () => {
    const transport = new Plain();
    const seen = watch(transport);
    transport.onmessage = () => seen.push('forgotten');
    transport.onmessage = () => seen.push('before');
    const before = transport.onmessage;
    transport.onmessage = (message, extra) => {
      before(message, extra);
      seen.push('got');
    };
    await transport.start();
    expect(seen).toEqual(['saw 0', 'before', 'got']);
  });

  test('reports its end once', async () => {
    const transport = new Plain();
    const seen = watch(transport);
    let ended = 0;
    transport.onclose = () => (ended += 1);
    await transport.start();
    transport.onclose();
    transport.onclose();
    expect(seen).toEqual(['saw 0', 'closed']);
    expect(ended).toBe(2);
  });

  test('passes on the extra of a message', async () => {
    const transport = new Plain();
    watch(transport);
    let extra: unknown;
    transport.onmessage = (_message, more) => (extra = more);
    await transport.start();
    expect(extra).toEqual({ authInfo: 1 });
  });

  test('may wrap another one, with accessors of its own', async () => {
    const inner = new Plain();
    const transport: StartableTransport = {
      start: () => inner.start(),
      get onmessage() {
        return inner.onmessage;
      },
      set onmessage(callback) {
        inner.onmessage = callback;
      },
      get onclose() {
        return inner.onclose;
      },
      set onclose(callback) {
        inner.onclose = callback;
      },
    };
    const seen = watch(transport);
    transport.onmessage = () => seen.push('got');
    await transport.start();
    inner.onmessage?.({ id: 1 });
    expect(seen).toEqual(['saw 0', 'got', 'saw 1', 'got']);
  });

  test('may have callbacks that can only be set', async () => {
    const set: Pick<StartableTransport, 'onmessage' | 'onclose'> = {};
    const transport: StartableTransport = {
      start: async () => set.onmessage?.({ id: 0 }),
      set onmessage(callback: WireTransport['onmessage']) {
        set.onmessage = callback;
      },
      set onclose(callback: WireTransport['onclose']) {
        set.onclose = callback;
      },
    };
    const seen = watch(transport);
    transport.onmessage = () => seen.push('got');
    transport.onclose = () => seen.push('ended');
    await transport.start();
    set.onclose?.();
    expect(seen).toEqual(['saw 0', 'got', 'closed', 'ended']);
  });

  test('may have a start that can only be read', async () => {
    const plain = new Plain();
    class Fixed extends Plain {}
    Object.defineProperty(Fixed.prototype, 'start', { get: () => () => plain.start() });
    const transport: StartableTransport = new Fixed();
    const seen = watch(transport);
    plain.onmessage = (message) => transport.onmessage?.(message);
    await transport.start();
    expect(seen).toEqual(['saw 0']);
  });

  test('may have two observers', async () => {
    const transport = new Plain();
    const one = watch(transport);
    const two = watch(transport);
    await transport.start();
    expect([one, two]).toEqual([['saw 0'], ['saw 0']]);
  });

  test('belongs to the next server when it is connected again', async () => {
    const transport = new Plain();
    const first = watch(transport);
    await transport.start();
    transport.onmessage = undefined;
    const second = watch(transport);
    await transport.start();
    expect([first, second]).toEqual([['saw 0'], ['saw 0']]);
    expect(transport.started).toBe(2);
  });

  test('keeps plain fields, without accessors', async () => {
    const transport = new Plain();
    watch(transport);
    await transport.start();
    const fields = Object.values(Object.getOwnPropertyDescriptors(transport));
    expect(fields.every((field) => 'value' in field)).toBe(true);
  });
});
