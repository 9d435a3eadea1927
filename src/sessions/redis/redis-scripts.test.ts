import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { redisScripts } from './redis-scripts.ts';

test.each(Object.entries(redisScripts))('%s is identified by the hash of its source', (name, script) => {
  expect(script.name).toBe(name);
  expect(script.sha).toBe(createHash('sha1').update(script.lua).digest('hex'));
});

test('only keys that are given are touched, so that a cluster can place them', () => {
  for (const { lua } of Object.values(redisScripts)) expect(lua).not.toMatch(/'rw:/);
});
