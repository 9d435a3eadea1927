import { describe, expect, test } from 'vitest';
import { connectLegacy, type LegacySetup } from '../../../test/support/peers/connect-legacy.ts';
import { connectModern } from '../../../test/support/peers/connect-modern.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import type { WireMessage } from '../../testing/wires.ts';

const entries = ['one/package.json = {"name":"first"}', 'two/package.json = {"name":"second"}', 'three/'];
const capabilities = { roots: { listChanged: true }, elicitation: {} };
const needsOne = { needsOne: true } as const;

/** The options a person can choose from, as the client shows them. */
interface Form {
  readonly message: string;
  readonly requestedSchema: {
    readonly properties: { readonly project: { readonly enum: readonly string[] } };
  };
}
const formIn = (params: WireMessage): Form => params as unknown as Form;
const choose = (place: string) => ({ action: 'accept', content: { project: place } });

describe('several projects, if a call needs one', () => {
  test('are shown to the person once, and the choice is remembered', async () => {
    using tree = tempTree(entries);
    const roots = [tree.at('one'), tree.at('two')];
    await using pair = await connectLegacy({ roots, capabilities, options: needsOne });
    const forms: Form[] = [];
    pair.client.answers.set('elicitation/create', (params) => {
      forms.push(formIn(params));
      return choose(tree.at('two'));
    });
    expect((await pair.call('where')).text).toBe('second');
    expect((await pair.call('where')).text).toBe('second');
    expect((await pair.call('read', { path: 'package.json' })).text).toContain('second');
    expect(forms.map(({ requestedSchema }) => requestedSchema.properties.project.enum)).toEqual([roots]);
  });

  test('are shown again when the chosen one is gone', async () => {
    using tree = tempTree(entries);
    const roots = [tree.at('one'), tree.at('two')];
    await using pair = await connectLegacy({ roots, capabilities, options: needsOne });
    pair.client.answers.set('elicitation/create', (params) =>
      choose(formIn(params).requestedSchema.properties.project.enum.at(-1) ?? ''),
    );
    expect((await pair.call('where')).text).toBe('second');
    pair.list(tree.at('one'), tree.at('three'));
    await pair.changed();
    expect((await pair.call('where')).text).toBe('three');
    expect(pair.client.asked('elicitation/create')).toBe(2);
  });

  test.each<[string, LegacySetup, number]>([
    ['where no person can be asked', { capabilities: { roots: {} } }, 0],
    ['where the client shows links alone', { capabilities: { roots: {}, elicitation: { url: {} } } }, 0],
    ['where the person declines', { capabilities }, 1],
  ])('are an error that lists them %s', async (_name, setup, asked) => {
    using tree = tempTree(entries);
    const roots = [tree.at('one'), tree.at('two')];
    await using pair = await connectLegacy({ ...setup, roots, options: needsOne });
    pair.client.answers.set('elicitation/create', () => ({ action: 'decline' }));
    const { data, text } = await pair.call('where');
    expect(data).toMatchObject({ error: { code: 'AMBIGUOUS_PROJECT' } });
    expect(text).toContain(`first (${tree.at('one')}), second (${tree.at('two')})`);
    expect(pair.client.asked('elicitation/create')).toBe(asked);
  });

  test('are not chosen by an invalid answer', async () => {
    using tree = tempTree(entries);
    const roots = [tree.at('one'), tree.at('two')];
    await using pair = await connectLegacy({ roots, capabilities, options: needsOne });
    pair.client.answers.set('elicitation/create', () => choose(tree.at('three')));
    expect((await pair.call('where')).isError).toBe(true);
    expect((await pair.call('paths')).text).toBe(roots.join(' '));
  });

  test('are asked in a round in 2026-07-28, together with the previous question', async () => {
    using tree = tempTree(entries);
    const roots = [tree.at('one'), tree.at('two')];
    await using pair = await connectModern({ roots, capabilities, options: needsOne });
    const person = { 'elicitation/create': () => choose(tree.at('two')) };
    const { text, rounds } = await pair.call('where', {}, person);
    expect(text).toBe('second');
    expect(rounds).toEqual([['roots/list'], ['roots/list', 'elicitation/create']]);
    expect(await pair.call('where', {}, person)).toMatchObject({ text: 'second', rounds: [['roots/list']] });
  });

  test('are an error in 2026-07-28 if the person declines, after one question', async () => {
    using tree = tempTree(entries);
    const roots = [tree.at('one'), tree.at('two')];
    await using pair = await connectModern({ roots, capabilities, options: needsOne });
    const { data, rounds } = await pair.call(
      'where',
      {},
      { 'elicitation/create': () => ({ action: 'decline' }) },
    );
    expect(data).toMatchObject({ error: { code: 'AMBIGUOUS_PROJECT' } });
    expect(rounds).toHaveLength(2);
  });

  test('are an error in 2026-07-28 if the client cannot ask', async () => {
    using tree = tempTree(entries);
    const roots = [tree.at('one'), tree.at('two')];
    await using pair = await connectModern({ roots, options: needsOne });
    expect((await pair.call('where')).data).toMatchObject({ error: { code: 'AMBIGUOUS_PROJECT' } });
  });

  test('are asked once, even without the switch source', async () => {
    using tree = tempTree(entries);
    const roots = [tree.at('one'), tree.at('two')];
    const options = { ...needsOne, sources: ['roots' as const] };
    await using pair = await connectLegacy({ roots, capabilities, options });
    pair.client.answers.set('elicitation/create', () => choose(tree.at('two')));
    expect((await pair.call('where')).text).toBe('second');
    expect(pair.client.asked('elicitation/create')).toBe(1);
  });

  test('need no question if another source decides', async () => {
    using tree = tempTree(entries);
    const roots = [tree.at('one'), tree.at('two')];
    await using pair = await connectLegacy({
      roots,
      capabilities,
      options: { ...needsOne, cwd: tree.at('two') },
    });
    expect((await pair.call('where')).text).toBe('second');
    expect(pair.client.asked('elicitation/create')).toBe(0);
  });
});

test('uses the first project without a question if the call accepts several', async () => {
  using tree = tempTree(entries);
  await using pair = await connectLegacy({ roots: [tree.at('one'), tree.at('two')], capabilities });
  expect((await pair.call('where')).text).toBe('first');
  expect(pair.client.asked('elicitation/create')).toBe(0);
});
