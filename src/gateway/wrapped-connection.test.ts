import { expect, test } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { wrapHere } from '../../test/support/peers/wrap-here.ts';

// The relay, the roots, the rules and the life of a server have their tests in test/e2e/wrap/.

test('what a client sends before the server is up waits for it, and is answered in order', async () => {
  await using wrapped = wrapHere();
  const first = wrapped.initialize();
  const answers = await Promise.all([
    first,
    wrapped.call('echo', { text: 'early' }),
    wrapped.request('ping'),
  ]);
  expect(answers[1]).toBe('early');
});

test('more than 64 messages do not wait for a server whose command needs the roots', async () => {
  using tree = tempTree(['app/']);
  await using wrapped = wrapHere({ args: ['{root}'], roots: { ceiling: [tree.at('app')] } });
  const calls = Array.from({ length: 70 }, (_, index) => wrapped.call('echo', { text: `${index}` }));
  const answers = await Promise.all(calls);
  expect(answers.filter((answer) => answer.includes('not ready')).length).toBeGreaterThan(0);
  expect(answers[0]).toBe('0');
});

test('a refresh without a change tells the server nothing', async () => {
  await using wrapped = wrapHere();
  wrapped.connection.refresh();
  await wrapped.initialize();
  wrapped.connection.refresh();
  await wrapped.call('roots');
  const { heard } = JSON.parse(await wrapped.call('said')) as { heard: readonly string[] };
  expect(heard).not.toContain('notifications/roots/list_changed');
});
