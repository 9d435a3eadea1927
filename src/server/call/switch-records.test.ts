import { expect, test } from 'vitest';
import { connectLegacy } from '../../../test/support/peers/connect-legacy.ts';
import { createMemorySink } from '../../audit/sink.ts';
import { operations } from '../../boundary/step/operation.ts';
import { parsePolicy } from '../../policy/rules/policy.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { describePermitted } from './switch-records.ts';

const yes = { action: 'accept', content: { allow: true } };

test.each([
  [{}, 'read, list'],
  [{ preset: 'ask-before-write' }, 'read, list; asks before write, remove'],
  [{ allow: operations }, 'read, list, write, remove, execute'],
] as const)('a yes to %j allows: %s', (policy, words) => {
  expect(describePermitted(parsePolicy(policy))).toBe(words);
});

test('a granted project is recorded with what it allows, and so is its end', async () => {
  using tree = tempTree(['app/a.txt', 'docs/b.txt', 'safe/.ssh/key']);
  const audit = createMemorySink();
  const pair = await connectLegacy({
    capabilities: { elicitation: {} },
    options: { tools: true, audit, policy: { preset: 'ask-before-write' } },
  });
  const asked: unknown[] = [];
  pair.client.answers.set('elicitation/create', (params) => {
    asked.push(params);
    return yes;
  });
  const switchTo = (name: string) => pair.call('switch_project', { project: tree.at(name) });
  await switchTo('app');
  await switchTo('docs');
  // A secret place is no question for a person who is asked in passing.
  expect((await switchTo('safe/.ssh')).text).toContain('only the operator can name it');
  expect(asked).toHaveLength(2);
  await pair[Symbol.asyncDispose]();
  const said = audit.entries().map(({ event, path, rule, outcome }) => [event, path, rule, outcome]);
  expect(said).toEqual([
    ['grant', tree.at('app'), 'consent:session', 'done'],
    ['grant', tree.at('docs'), 'consent:session', 'done'],
    ['withdrawal', tree.at('app'), 'consent:ended', 'done'],
    ['grant', tree.at('safe/.ssh'), 'cannot-switch', 'refused'],
    ['withdrawal', tree.at('docs'), 'consent:ended', 'done'],
  ]);
  const [first] = audit.entries();
  expect(first?.reason).toContain('a person said yes to read, list; asks before write, remove, until');
  expect(new Set(audit.entries().map(({ session }) => session)).size).toBe(1);
  expect(audit.entries()[0]).toMatchObject({
    client: expect.stringMatching(/ /),
    session: expect.any(String),
  });
});
