import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { newSealingKey } from '../../src/http/request-state.ts';
import { connectClient } from '../http/clients.ts';
import { openEndpoint } from '../http/open-endpoint.ts';
import { startBalancer } from './balancer.ts';

test('F21: nodes understand the state of 2026 of each other, also while the key is changed', async () => {
  const [old, fresh, foreign] = [
    newSealingKey(),
    newSealingKey(),
    { id: 'foreign', secret: randomBytes(32) },
  ];
  await using balancer = await startBalancer();
  const hosts = [`127.0.0.1:${balancer.port}`];
  await using before = await openEndpoint({ hosts, sealingKeys: [old] });
  await using after = await openEndpoint({ hosts, sealingKeys: [fresh, old] });
  await using stranger = await openEndpoint({ hosts, sealingKeys: [foreign] });
  balancer.targets.push(before);
  await using client = await connectClient('v2 in 2026', balancer);
  // Begun with the old key, ended where the new one seals.
  const callOver = async (...targets: readonly { port: number }[]): Promise<string> => {
    balancer.targets.splice(0, balancer.targets.length, ...targets);
    return client.call('roots');
  };
  const turn = balancer.passed.length % 2;
  expect(await callOver(...[before, after].toSorted(() => (turn === 0 ? 0 : -1)))).toContain(
    'file:///srv/app',
  );
  expect(await callOver(after, after)).toContain('file:///srv/app');
  await expect(callOver(before, stranger)).rejects.toThrow();
});
