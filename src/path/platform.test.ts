import { expect, test } from 'vitest';
import { hostPlatform } from './platform.ts';

test('the host is one of the two', () => {
  expect(hostPlatform).toBe(process.platform === 'win32' ? 'win32' : 'posix');
});
