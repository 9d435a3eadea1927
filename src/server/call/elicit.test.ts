import { describe, expect, test } from 'vitest';
import { connectLegacy, type LegacySetup } from '../../../test/support/peers/connect-legacy.ts';
import { silence } from '../../../test/support/peers/raw-client.ts';
import type { ToolRun } from '../../../test/support/peers/sdks.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import type { Rootward } from '../settings/rootward.ts';

const policy = { allow: ['read' as const], ask: ['write' as const] };
const write =
  (rootward: Rootward): ToolRun =>
  (context, { path = '' }) =>
    rootward.access(context, { operation: 'write', path }, () => 'allowed');

/** A policy that asks is the simplest way to cause a question. */
const setup = (roots: readonly string[], elicitation: unknown): LegacySetup => ({
  roots,
  capabilities: { roots: {}, ...(elicitation !== undefined && { elicitation }) },
  options: { policy },
  tools: { write },
});

describe('a person is asked', () => {
  test.each([
    ['by a client that names no modes', {}, 1],
    ['by a client that shows forms', { form: {} }, 1],
    ['by a client that shows forms and links', { form: {}, url: {} }, 1],
    ['but not by a client that shows links alone', { url: {} }, 0],
    ['but not by a client that declared nothing', undefined, 0],
  ])('%s', async (_client, elicitation, asked) => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy(setup([tree.at('app')], elicitation));
    pair.client.answers.set('elicitation/create', () => ({ action: 'accept', content: { allow: true } }));
    expect((await pair.call('write', { path: 'x' })).isError).toBe(asked === 0);
    expect(pair.client.asked('elicitation/create')).toBe(asked);
  });

  test('in the form of older revisions, which have no modes', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectLegacy(setup([tree.at('app')], {}));
    let params: object = {};
    pair.client.answers.set('elicitation/create', (sent) => {
      params = sent;
      return { action: 'accept', content: { allow: true } };
    });
    await pair.call('write', { path: 'x' });
    expect(Object.keys(params).toSorted()).toEqual(['message', 'requestedSchema']);
    expect(params).toMatchObject({
      message: expect.stringContaining('Allow "write" to write "x" in "app"?'),
      requestedSchema: { type: 'object', properties: { allow: { type: 'boolean' } }, required: ['allow'] },
    });
  });

  test('and the wait ends when the call is cancelled', async () => {
    using tree = tempTree(['app/']);
    let ended: (error: unknown) => void = () => undefined;
    const over = new Promise<unknown>((resolve) => (ended = resolve));
    await using pair = await connectLegacy({
      ...setup([tree.at('app')], {}),
      tools: {
        write: (rootward) => async (context) => {
          const error = await rootward
            .access(context, { operation: 'write', path: 'x' }, () => 'allowed')
            .catch((failure: unknown) => failure);
          ended(error);
          return '';
        },
      },
    });
    pair.client.answers.set('elicitation/create', () => silence);
    void pair.call('write');
    await pair.client.question('elicitation/create');
    await pair.client.notify('notifications/cancelled', { requestId: 2 });
    expect(await over).toMatchObject({ code: 'DENIED' });
  });
});
