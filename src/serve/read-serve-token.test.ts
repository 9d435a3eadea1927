import { chmodSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { readServeToken } from './read-serve-token.ts';

const secret = 'a-token-of-my-own-that-is-long-enough-to-be-one';

async function readWith(mode: number): Promise<{ token: string; said: string }> {
  using tree = tempTree([`token = ${secret}\n`]);
  chmodSync(tree.at('token'), mode);
  let said = '';
  const stderr = { write: (text: string) => void (said += text) };
  const { token } = await readServeToken({ token: undefined, tokenFile: tree.at('token') }, stderr);
  return { token, said };
}

test.skipIf(process.platform === 'win32').each([0o600, 0o400])(
  'a file that is its owner’s alone is read: %o',
  async (mode) => {
    expect(await readWith(mode)).toEqual({ token: secret, said: '' });
  },
);

test.skipIf(process.platform === 'win32').each([0o644, 0o444, 0o640])(
  'that others can read it is said: %o',
  async (mode) => {
    const { token, said } = await readWith(mode);
    expect(token).toBe(secret);
    expect(said).toMatch(/^rootward: others on this machine can read ".*token"; chmod 600/);
    expect(said).not.toContain(secret);
  },
);

test.skipIf(process.platform === 'win32').each([0o666, 0o620, 0o602])(
  'that others can write it is refused: %o',
  async (mode) => {
    await expect(readWith(mode)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      data: { where: '--token-file' },
    });
  },
);

test('without any it is made, another one each time', async () => {
  const none = { token: undefined, tokenFile: undefined };
  const stderr = { write: () => undefined };
  const [first, second] = [await readServeToken(none, stderr), await readServeToken(none, stderr)];
  expect(first).toMatchObject({ made: true, token: expect.stringMatching(/^[\w-]{43}$/) });
  expect(second.token).not.toBe(first.token);
  const given = { token: secret, tokenFile: undefined };
  expect(await readServeToken(given, stderr)).toEqual({ token: secret, made: false });
});
