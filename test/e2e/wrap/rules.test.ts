import { expect, test } from 'vitest';
import { toFileUri } from '../../../src/index.ts';
import { tempTree } from '../../../src/testing/index.ts';
import { type Wrapped, wrapHere } from '../../support/peers/wrap-here.ts';

/** The names of the tools that the client sees. */
async function toolsOf(wrapped: Wrapped): Promise<readonly string[]> {
  const { result = {} } = await wrapped.request('tools/list');
  return (result['tools'] as readonly { name: string }[]).map(({ name }) => name);
}

test('denied tools are not listed and not called, and the refusal is recorded with its rule', async () => {
  await using wrapped = wrapHere({ denyTool: ['ex*', 'fail'] });
  await wrapped.initialize();
  const names = await toolsOf(wrapped);
  expect(names).toContain('echo');
  expect(names).not.toContain('exit');
  const refused = await wrapped.request('tools/call', { name: 'exit', arguments: { code: 1 } });
  expect(refused.result).toMatchObject({
    isError: true,
    content: [{ text: 'Cannot call "exit": the operator denies "ex*"' }],
  });
  expect(await wrapped.call('echo', { text: 'on' })).toBe('on');
  expect(wrapped.audit.entries()).toMatchObject([
    { tool: 'exit', verdict: 'deny', rule: 'deny-tool:ex*', outcome: 'refused', code: 'DENIED' },
    { tool: 'echo', verdict: 'allow', outcome: 'done' },
  ]);
});

test('with --read-only only tools run that say that they change nothing', async () => {
  await using wrapped = wrapHere({ readOnly: true });
  await wrapped.initialize();
  expect(await wrapped.call('echo', { text: 'read' })).toBe('read');
  expect(await wrapped.call('exit')).toContain('does not say that it only reads');
  expect(await wrapped.call('unknown')).toContain('does not say that it only reads');
  expect(await toolsOf(wrapped)).toHaveLength(3);
});

test('a person is asked about a tool each time, by a form of the client', async () => {
  await using wrapped = wrapHere({ askTool: ['echo', 'args'], capabilities: { elicitation: {} } });
  await wrapped.initialize();
  const replies = [{ action: 'accept', content: { allow: true } }, { action: 'decline' }];
  wrapped.answers.set('elicitation/create', () => ({ result: replies.shift() ?? {} }));
  expect(await wrapped.call('echo', { text: 'yes' })).toBe('yes');
  expect(await wrapped.call('echo', { text: 'no' })).toContain('did not say yes');
  // A question that no one answers does not hold up other calls, and ends with its call.
  wrapped.answers.set('elicitation/create', () => undefined);
  wrapped.write('{"jsonrpc":"2.0","id":"asked","method":"tools/call","params":{"name":"args"}}\n');
  await wrapped.find(
    ({ method, params }) => method === 'elicitation/create' && String(params?.['message']).includes('args'),
  );
  expect(await wrapped.call('pid')).toMatch(/^\d+$/);
  wrapped.notify('notifications/cancelled', { requestId: 'asked' });
  const heard = JSON.parse(await wrapped.call('said')) as { heard: readonly string[] };
  expect(heard.heard).not.toContain('notifications/cancelled');
  expect(wrapped.audit.entries().map(({ tool, rule, outcome }) => [tool, rule, outcome])).toEqual([
    ['echo', 'ask-tool:echo:yes', 'done'],
    ['echo', 'ask-tool:echo:no', 'refused'],
    ['pid', 'allow:tool', 'done'],
    ['args', 'allow:call', 'cancelled'],
    ['said', 'allow:tool', 'done'],
  ]);
});

test('without a way to ask a person the answer is no', async () => {
  await using wrapped = wrapHere({ askTool: ['echo'] });
  await wrapped.initialize();
  expect(await wrapped.call('echo', { text: 'x' })).toContain('no person can be asked');
  expect(wrapped.asked).toEqual([]);
});

test('a resource outside the roots is refused before the server hears of it', async () => {
  using tree = tempTree(['app/a.txt = in', 'b.txt = out', 'app/link => ../b.txt']);
  await using wrapped = wrapHere({ roots: { ceiling: [tree.at('app')] } });
  await wrapped.initialize();
  const read = async (uri: string) => wrapped.request('resources/read', { uri });
  expect((await read(toFileUri(tree.at('app/a.txt')))).result).toMatchObject({ contents: [{ text: 'in' }] });
  for (const path of [tree.at('b.txt'), tree.at('app/link'), `${tree.at('app')}/../b.txt`, '/etc/passwd'])
    expect((await read(`file://${path}`)).error).toMatchObject({ code: -32_002 });
  const { heard } = JSON.parse(await wrapped.call('said')) as { heard: readonly string[] };
  expect(heard.filter((method) => method === 'resources/read')).toHaveLength(1);
  // Without the gateway the server reads it.
  expect(await wrapped.call('file', { path: tree.at('b.txt') })).toBe('out');
});

test('an entry has the paths of a call, and no other argument', async () => {
  await using wrapped = wrapHere();
  await wrapped.initialize();
  await wrapped.call('echo', {
    text: 'secret',
    path: 'a/b.txt',
    more: [{ target_file: '/c' }],
    uri: 'file:///d',
  });
  await wrapped.call('fail');
  const [first, second] = wrapped.audit.entries();
  expect(first).toMatchObject({
    path: 'a/b.txt',
    detail: 'server wrapped, /c, file:///d',
    session: expect.any(String),
  });
  expect(JSON.stringify(first)).not.toContain('secret');
  expect(second).toMatchObject({ tool: 'fail', outcome: 'failed' });
});
