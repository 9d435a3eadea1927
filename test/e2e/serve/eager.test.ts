import { expect, test } from 'vitest';
import { difficultClients, tempTree } from '../../../src/testing/index.ts';
import { speak, type Spoken } from '../../support/processes/speak.ts';

async function descriptions({ player }: Spoken): Promise<string> {
  const reply = await player.request('tools/list');
  if (reply.kind !== 'result') throw new Error(JSON.stringify(reply));
  return (reply.result['tools'] as readonly { description: string }[])
    .map(({ description }) => description)
    .join('\n');
}

const listChanges = ({ received }: Spoken): number =>
  received.filter(
    (message) => 'method' in message && message['method'] === 'notifications/tools/list_changed',
  ).length;

test('a client that changes its roots is asked at once, and told that the tools read differently', async () => {
  using files = tempTree(['app/a.txt', 'lib/b.txt']);
  await using server = await speak({ roots: [`file://${files.at('app')}`] });
  await expect.poll(() => descriptions(server)).toContain('Roots: app.');
  const before = listChanges(server);
  const asked = server.player.asks.length;
  await server.change(`file://${files.at('lib')}`);
  // Nothing is called: the notification alone does it.
  await expect.poll(() => listChanges(server)).toBe(before + 1);
  expect(server.player.asks).toHaveLength(asked + 1);
  expect(await descriptions(server)).toContain('Roots: lib.');
});

test('no project is named to a client whose roots are still to come', async () => {
  using files = tempTree(['proj/package.json = {}', 'other/a.txt']);
  await using waiting = await speak({
    cwd: files.at('proj'),
    client: difficultClients.silent,
    roots: [`file://${files.at('other')}`],
  });
  expect(await descriptions(waiting)).not.toContain('Roots:');
  // The same client without roots of its own would read it.
  await using alone = await speak({ cwd: files.at('proj') });
  expect(await descriptions(alone)).toContain('Roots: proj.');
});
