import { chmodSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newSealingKey } from '../http/exchange/request-state.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { openSessions, readSealingKeys, readServeToken } from './open-sessions.ts';

const record = (): void => {};

test('are kept in memory by default', async () => {
  const settings = { sessions: undefined, sessionsPassword: undefined, sessionsPrefix: undefined };
  expect(await openSessions({ settings, keys: [], record })).toBeUndefined();
});

test('nodes that share sessions must share a key', async () => {
  const settings = {
    sessions: 'redis://127.0.0.1:1',
    sessionsPassword: undefined,
    sessionsPrefix: undefined,
  };
  await expect(openSessions({ settings, keys: [], record })).rejects.toThrow('ROOTWARD_SEALING_KEY');
});

test('fails at start if the engine cannot be reached', async () => {
  const settings = {
    sessions: 'redis://127.0.0.1:1',
    sessionsPassword: undefined,
    sessionsPrefix: undefined,
  };
  const opening = openSessions({ settings, keys: [newSealingKey()], record });
  await expect(opening).rejects.toMatchObject({ code: 'SESSIONS_UNAVAILABLE' });
});

test('refuses an invalid prefix', async () => {
  const settings = { sessions: 'redis://127.0.0.1:1', sessionsPassword: undefined, sessionsPrefix: 'a b' };
  const opening = openSessions({ settings, keys: [newSealingKey()], record });
  await expect(opening).rejects.toThrow('--sessions-prefix');
});

const [first, second] = ['a'.repeat(44), 'b'.repeat(44)];

test('a key is the same from any source, and its id does not reveal it', async () => {
  using tree = tempTree([`key = ${first}`]);
  const file = await readSealingKeys({ sealingKey: undefined, sealingKeyFile: tree.at('key') });
  const [key] = await readSealingKeys({ sealingKey: first, sealingKeyFile: undefined });
  expect(file).toEqual([key]);
  expect(key?.secret).toHaveLength(32);
  expect(first).not.toContain(key?.id);
});

test('reads two keys in order', async () => {
  const both = await readSealingKeys({ sealingKey: `${first},${second}`, sealingKeyFile: undefined });
  const [other] = await readSealingKeys({ sealingKey: second, sealingKeyFile: undefined });
  expect(both).toHaveLength(2);
  expect(both[1]).toEqual(other);
});

test('there is no key by default', async () => {
  expect(await readSealingKeys({ sealingKey: undefined, sealingKeyFile: undefined })).toEqual([]);
});

test.each([
  ['short', 'x'.repeat(31), 'fewer than 32'],
  ['one of three', [first, second, first].join(','), 'more than two'],
])('refuses a key that is %s', async (_title, sealingKey, reason) => {
  await expect(readSealingKeys({ sealingKey, sealingKeyFile: undefined })).rejects.toThrow(reason);
});

test('refuses a missing or empty file by name', async () => {
  using tree = tempTree(['empty = ']);
  for (const name of ['empty', 'nothing']) {
    const reading = readSealingKeys({ sealingKey: undefined, sealingKeyFile: tree.at(name) });
    await expect(reading).rejects.toThrow('--sealing-key-file');
  }
});

const secret = 'a-token-of-my-own-that-is-long-enough-to-be-one';

async function readWith(mode: number): Promise<{ token: string; said: string }> {
  using tree = tempTree([`token = ${secret}\n`]);
  // Inside a directory that other users cannot enter, nothing is shared.
  chmodSync(tree.path, 0o755);
  chmodSync(tree.at('token'), mode);
  let said = '';
  const stderr = { write: (text: string) => void (said += text) };
  const { token } = await readServeToken({ token: undefined, tokenFile: tree.at('token') }, stderr);
  return { token, said };
}

test.skipIf(process.platform === 'win32').each([0o600, 0o400])(
  'reads a file only its owner can access: %o',
  async (mode) => {
    expect(await readWith(mode)).toEqual({ token: secret, said: '' });
  },
);

test.skipIf(process.platform === 'win32').each([0o644, 0o444, 0o640])(
  'warns if others can read it: %o',
  async (mode) => {
    const { token, said } = await readWith(mode);
    expect(token).toBe(secret);
    expect(said).toMatch(/^rootward: others on this machine can read ".*token"; chmod 600/);
    expect(said).not.toContain(secret);
  },
);

test.skipIf(process.platform === 'win32').each([0o666, 0o620, 0o602])(
  'refuses a file others can write: %o',
  async (mode) => {
    await expect(readWith(mode)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      data: { where: '--token-file' },
    });
  },
);

test('generates a new one each time by default', async () => {
  const none = { token: undefined, tokenFile: undefined };
  const stderr = { write: () => undefined };
  const [first, second] = [await readServeToken(none, stderr), await readServeToken(none, stderr)];
  expect(first).toMatchObject({ made: true, token: expect.stringMatching(/^[\w-]{43}$/) });
  expect(second.token).not.toBe(first.token);
  const given = { token: secret, tokenFile: undefined };
  expect(await readServeToken(given, stderr)).toEqual({ token: secret, made: false });
});
