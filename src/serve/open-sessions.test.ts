import { expect, test } from 'vitest';
import { newSealingKey } from '../http/exchange/request-state.ts';
import { openSessions } from './open-sessions.ts';

const record = (): void => {};

test('nobody said where: they stay in the process', async () => {
  const settings = { sessions: undefined, sessionsPassword: undefined, sessionsPrefix: undefined };
  expect(await openSessions({ settings, keys: [], record })).toBeUndefined();
});

test('nodes that share sessions have to share a key', async () => {
  const settings = {
    sessions: 'redis://127.0.0.1:1',
    sessionsPassword: undefined,
    sessionsPrefix: undefined,
  };
  await expect(openSessions({ settings, keys: [], record })).rejects.toThrow('ROOTWARD_SEALING_KEY');
});

test('an engine that is not there is said at the start', async () => {
  const settings = {
    sessions: 'redis://127.0.0.1:1',
    sessionsPassword: undefined,
    sessionsPrefix: undefined,
  };
  const opening = openSessions({ settings, keys: [newSealingKey()], record });
  await expect(opening).rejects.toMatchObject({ code: 'SESSIONS_UNAVAILABLE' });
});

test('a prefix that cannot be one is refused', async () => {
  const settings = { sessions: 'redis://127.0.0.1:1', sessionsPassword: undefined, sessionsPrefix: 'a b' };
  const opening = openSessions({ settings, keys: [newSealingKey()], record });
  await expect(opening).rejects.toThrow('--sessions-prefix');
});
