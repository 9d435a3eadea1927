import { expect, test } from 'vitest';
import { RootwardError } from '../../errors.ts';
import { ifThere } from './if-there.ts';

test('a missing name is undefined, every other failure stays one', async () => {
  const attempt = { verb: 'read', path: 'a' };
  expect(await ifThere(Promise.resolve('text'))).toBe('text');
  expect(await ifThere(Promise.reject(new RootwardError('NOT_FOUND', attempt)))).toBeUndefined();
  await expect(ifThere(Promise.reject(new RootwardError('IS_A_DIRECTORY', attempt)))).rejects.toMatchObject({
    code: 'IS_A_DIRECTORY',
  });
});
