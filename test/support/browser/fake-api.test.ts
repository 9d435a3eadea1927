import { expect, test } from 'vitest';
import { fakeApi } from './fake-api.ts';

test('answers what it knows, refuses the rest, and notes both', async () => {
  const { api, posted, asked } = fakeApi({ '/api/a': 1 });
  expect(await api.get('/api/a', { x: 'y' })).toBe(1);
  await expect(api.post('/api/b', { z: 2 })).rejects.toThrow('No /api/b');
  expect([asked, posted]).toEqual([[['/api/a', { x: 'y' }]], [['/api/b', { z: 2 }]]]);
});
