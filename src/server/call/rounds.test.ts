import { createRequestStateCodec, type McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connectModern, questionsIn } from '../../../test/support/peers/connect-modern.ts';
import type { ToolRun } from '../../../test/support/peers/sdks.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import type { WireMessage } from '../../testing/wires.ts';
import type { Rootward } from '../settings/rootward.ts';

const both = { roots: {}, elicitation: {} };
const form = { type: 'object', properties: { color: { type: 'string' } } };

/** A question of the author. */
const authorAsks = (state?: string) => ({
  resultType: 'input_required',
  inputRequests: {
    color: {
      method: 'elicitation/create',
      params: { mode: 'form', message: 'Which?', requestedSchema: form },
    },
  },
  ...(state !== undefined && { requestState: state }),
});

const colorOf = (context: unknown): string | undefined => {
  const { mcpReq } = context as {
    mcpReq: { inputResponses?: Record<string, { content?: { color?: string } }> };
  };
  return mcpReq.inputResponses?.['color']?.content?.color;
};

const says = { 'elicitation/create': () => ({ action: 'accept', content: { color: 'red' } }) };

describe('a handler that awaits its workspace in 2026-07-28', () => {
  test('runs twice up to the question, and the client is asked once', async () => {
    using tree = tempTree(['app/']);
    const steps: string[] = [];
    await using pair = await connectModern({
      roots: [tree.at('app')],
      tools: {
        steps: (rootward) => async (context) => {
          steps.push('before');
          try {
            const { project } = await rootward.workspace(context);
            steps.push('after');
            return project.name;
          } finally {
            steps.push('finally');
          }
        },
      },
    });
    const { text, rounds } = await pair.call('steps');
    expect(text).toBe('app');
    expect(rounds).toEqual([['roots/list']]);
    expect(steps).toEqual(['before', 'finally', 'before', 'after', 'finally']);
  });

  test.each<[string, NonNullable<Parameters<typeof connectModern>[0]>['options'] & object]>([
    ['for all', { preflight: true }],
    ['by name', { preflight: ['steps'] }],
    ['by a function', { preflight: (method, name) => method === 'tools/call' && name === 'steps' }],
  ])('runs once with preflight %s', async (_how, options) => {
    using tree = tempTree(['app/']);
    let runs = 0;
    await using pair = await connectModern({
      options,
      roots: [tree.at('app')],
      tools: {
        steps: (rootward) => async (context) => {
          runs += 1;
          expect(rootward.contains(context, tree.at('app/x'))).toBe(true);
          return (await rootward.workspace(context)).project.name;
        },
      },
    });
    expect(await pair.call('steps')).toMatchObject({ text: 'app', rounds: [['roots/list']] });
    expect(runs).toBe(1);
  });

  test('is not affected by preflight for another tool', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectModern({
      options: { preflight: ['other'] },
      roots: [tree.at('app')],
      tools: { plain: () => () => 'no roots needed' },
    });
    expect(await pair.call('plain')).toMatchObject({ text: 'no roots needed', rounds: [] });
  });

  test('cannot suppress the question by catching it', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectModern({
      roots: [tree.at('app')],
      tools: {
        careless: (rootward) => async (context) => {
          try {
            return (await rootward.workspace(context)).project.name;
          } catch {
            return 'fallback';
          }
        },
      },
    });
    expect(await pair.call('careless')).toMatchObject({ text: 'app', rounds: [['roots/list']] });
  });

  test('cannot suppress it by not awaiting it either', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectModern({
      roots: [tree.at('app')],
      tools: {
        dropped: (rootward) => async (context) => {
          void rootward.workspace(context);
          return 'done';
        },
      },
    });
    expect(await pair.call('dropped')).toMatchObject({ text: 'done', rounds: [['roots/list']] });
  });
});

describe("rounds of the author's own", () => {
  const workspaceThenColor =
    (rootward: Rootward): ToolRun =>
    async (context) => {
      const { project } = await rootward.workspace(context);
      const color = colorOf(context);
      return color === undefined ? authorAsks() : `${project.name} ${color}`;
    };
  const colorThenWorkspace =
    (rootward: Rootward): ToolRun =>
    async (context) => {
      const color = colorOf(context);
      if (color === undefined) return authorAsks();
      return `${(await rootward.workspace(context)).project.name} ${color}`;
    };

  test('include our question', async () => {
    using tree = tempTree(['app/']);
    const tools = { both: workspaceThenColor };
    await using pair = await connectModern({ capabilities: both, roots: [tree.at('app')], tools });
    const { text, rounds } = await pair.call('both', {}, says);
    expect(text).toBe('app red');
    expect(rounds).toEqual([['roots/list'], ['elicitation/create', 'roots/list']]);
  });

  test('include our question, with preflight', async () => {
    using tree = tempTree(['app/']);
    const tools = { both: colorThenWorkspace };
    const options = { preflight: true };
    await using pair = await connectModern({ capabilities: both, roots: [tree.at('app')], tools, options });
    const { text, rounds } = await pair.call('both', {}, says);
    expect(text).toBe('app red');
    expect(rounds).toEqual([['roots/list'], ['elicitation/create', 'roots/list']]);
  });

  test('end even if the author asks first', async () => {
    using tree = tempTree(['app/']);
    const tools = { both: colorThenWorkspace };
    await using pair = await connectModern({ capabilities: both, roots: [tree.at('app')], tools });
    expect((await pair.call('both', {}, says)).text).toBe('app red');
  });

  test('keep their state', async () => {
    using tree = tempTree(['app/']);
    const codec = createRequestStateCodec<{ step: number }>({ key: 'k'.repeat(32) });
    await using pair = await connectModern({
      capabilities: both,
      roots: [tree.at('app')],
      serverOptions: { requestState: codec },
      tools: {
        stateful: (rootward) => async (context) => {
          const { project } = await rootward.workspace(context);
          const { mcpReq } = context as unknown as { mcpReq: { requestState: () => unknown } };
          const state = mcpReq.requestState() as { step: number } | undefined;
          if (state === undefined) return authorAsks(await codec.mint({ step: 1 }));
          return `${project.name} ${state.step} ${colorOf(context)}`;
        },
      },
    });
    expect((await pair.call('stateful', {}, says)).text).toBe('app 1 red');
  });

  test('are unchanged in calls that need no roots', async () => {
    await using pair = await connectModern({
      capabilities: both,
      tools: { own: () => (context) => colorOf(context) ?? authorAsks() },
    });
    const { text, rounds } = await pair.call('own', {}, says);
    expect(text).toBe('red');
    expect(rounds).toEqual([['elicitation/create']]);
  });
});

describe('an invalid answer', () => {
  const answersWith = (response: unknown) => ({ 'roots/list': () => response });

  test.each([
    ['something else', { nope: 1 }],
    ['the whole message', { method: 'roots/list', result: { roots: [] } }],
    ['null for a list', { roots: null }],
    ['text', 'file:///app'],
  ])('does not cause another question: %s', async (_name, response) => {
    await using pair = await connectModern();
    const { rounds, text } = await pair.call('paths', {}, answersWith(response));
    expect(rounds).toEqual([['roots/list']]);
    expect(text).toBe('');
  });

  test('causes another question if it is missing, once per round', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectModern({ roots: [tree.at('app')] });
    const params = { name: 'where', arguments: {} };
    for (let count = 0; count < 3; count += 1) {
      const message = await pair.round('tools/call', { params, responses: { other: { roots: [] } } });
      expect(Object.values(questionsIn(message) ?? {})).toEqual([{ method: 'roots/list' }]);
    }
  });

  test('is read root by root, as in other revisions', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectModern();
    const roots = [
      { uri: 'https://x.example' },
      { uri: 5 },
      null,
      { uri: toFileUri(tree.at('app')), name: null },
    ];
    expect((await pair.call('paths', {}, answersWith({ roots }))).text).toBe(tree.at('app'));
  });
});

test('capabilities count for the request that declares them', async () => {
  using tree = tempTree(['app/']);
  await using pair = await connectModern({ roots: [tree.at('app')] });
  const params = { name: 'where', arguments: {} };
  expect(questionsIn(await pair.round('tools/call', { params }))).toBeDefined();
  const without = await pair.round('tools/call', { params, capabilities: {} });
  expect(questionsIn(without)).toBeUndefined();
  expect(without['result']).toMatchObject({ isError: true });
  expect(without['error']).toBeUndefined();
  expect(questionsIn(await pair.round('tools/call', { params }))).toBeDefined();
});

test('each call asks again, because such clients announce no changes', async () => {
  using tree = tempTree(['app/', 'docs/']);
  await using pair = await connectModern({ roots: [tree.at('app')] });
  expect((await pair.call('where')).text).toBe('app');
  pair.list(tree.at('docs'));
  expect((await pair.call('where')).text).toBe('docs');
  pair.list();
  expect((await pair.call('where')).isError).toBe(true);
});

test('with reuse an answer counts for later calls, too', async () => {
  using tree = tempTree(['app/', 'docs/']);
  await using pair = await connectModern({ roots: [tree.at('app')], options: { reuse: 60_000 } });
  expect((await pair.call('where')).rounds).toHaveLength(1);
  pair.list(tree.at('docs'));
  expect(await pair.call('where')).toMatchObject({ text: 'app', rounds: [] });
});

describe('requests other than tools', () => {
  const more = (server: McpServer, rootward: Rootward): void => {
    server.registerPrompt('where', {}, async (context) => {
      const { project } = await rootward.workspace(context);
      return { messages: [{ role: 'user', content: { type: 'text', text: project.name } }] };
    });
    server.registerResource('where', 'app://where', {}, async (uri, context) => {
      const { project } = await rootward.workspace(context);
      return { contents: [{ uri: uri.href, text: project.name }] };
    });
    const schemas = { params: z.looseObject({}), result: z.looseObject({}) };
    server.server.setRequestHandler('x/roots', schemas, async (_params, context) => ({
      paths: (await rootward.roots(context)).map(({ path }) => path),
    }));
  };

  test.each([
    ['prompts/get', { name: 'where' }],
    ['resources/read', { uri: 'app://where' }],
  ])('%s asks in the same way', async (method, params) => {
    using tree = tempTree(['app/']);
    await using pair = await connectModern({ more });
    const first = await pair.round(method, { params });
    const [key] = Object.keys(questionsIn(first) ?? {});
    const responses = { [key ?? '']: { roots: [{ uri: toFileUri(tree.at('app')) }] } };
    const second = await pair.round(method, { params, responses });
    expect(JSON.stringify(second['result'])).toContain('"text":"app"');
  });

  test.each([
    ['prompts/get', { name: 'where' }],
    ['resources/read', { uri: 'app://where' }],
  ])('%s runs once with preflight', async (method, params) => {
    using tree = tempTree(['app/']);
    await using pair = await connectModern({ more, options: { preflight: true } });
    const [key] = Object.keys(questionsIn(await pair.round(method, { params })) ?? {});
    expect(key).toBeDefined();
    const responses = { [key ?? '']: { roots: [{ uri: toFileUri(tree.at('app')) }] } };
    expect(JSON.stringify(await pair.round(method, { params, responses }))).toContain('"text":"app"');
  });

  test('use known roots, because they cannot ask', async () => {
    using tree = tempTree(['app/']);
    await using pair = await connectModern({ more, roots: [tree.at('app')] });
    const pathsOf = (message: WireMessage): unknown => (message['result'] as { paths?: unknown }).paths;
    expect(pathsOf(await pair.round('x/roots'))).toEqual([]);
    await pair.call('where');
    expect(pathsOf(await pair.round('x/roots'))).toEqual([tree.at('app')]);
  });
});

test('ignores a notification that the revision does not have', async () => {
  using tree = tempTree(['app/']);
  await using pair = await connectModern({ roots: [tree.at('app')], options: { reuse: 60_000 } });
  await pair.call('where');
  await pair.client.notify('notifications/roots/list_changed');
  expect(await pair.call('where')).toMatchObject({ text: 'app', rounds: [] });
});
