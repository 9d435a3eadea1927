import { expect, test, vi } from 'vitest';
import { type Connectable, connectClients } from './connect-clients.ts';

function open(connect: () => Promise<unknown>, fault?: unknown): Connectable {
  return {
    connect,
    on: (_event, listener) => fault !== undefined && listener(fault),
  };
}

const fails = (fault: unknown) => async (): Promise<never> => {
  throw fault;
};

test('all of them are connected, or all are closed', async () => {
  const close = vi.fn<() => void>();
  await connectClients([open(async () => {}), open(async () => {})], close);
  expect(close).not.toHaveBeenCalled();
  const one = fails(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
  await expect(connectClients([open(async () => {}), open(one)], close)).rejects.toThrow('ECONNREFUSED');
  expect(close).toHaveBeenCalledOnce();
});

test.each([
  ['of the system', Object.assign(new Error('connect 10.0.0.5'), { code: 'ETIMEDOUT' }), 'ETIMEDOUT'],
  ['of the engine', new Error('WRONGPASS for user secret'), 'WRONGPASS'],
  ['of its cause', new Error('at 10.0.0.5', { cause: new Error('NOAUTH') }), 'NOAUTH'],
])('what went wrong is told by its code alone, %s', async (_whose, error, code) => {
  const connecting = connectClients([open(fails(error))], () => {});
  await expect(connecting).rejects.toMatchObject({
    code: 'SESSIONS_UNAVAILABLE',
    data: { reason: `nothing answers there, or not to this login (${code})` },
  });
});

test('an error without a code is told by the one that came before it', async () => {
  const before = Object.assign(new Error('no'), { code: 'EPROTO' });
  await expect(connectClients([open(fails(new Error('closed')), before)], () => {})).rejects.toThrow(
    'EPROTO',
  );
});
