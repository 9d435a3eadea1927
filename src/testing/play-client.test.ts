import { expect, test } from 'vitest';
import type { DifficultClient } from './difficult-client.ts';
import { difficultClients } from './difficult-clients.ts';
import { playClient, type Player, type PlayOptions } from './play-client.ts';
import { linkWires, type WireMessage } from './wires.ts';

const roots = [{ uri: 'file:///a' }];

test('a client of an older revision introduces itself, and answers a request', async () => {
  await using stage = await play(difficultClients.cooperative, { roots });
  const { player, seen } = stage;
  expect(seen.map(({ method }) => method)).toEqual(['initialize', 'notifications/initialized']);
  expect(await player.call('ask')).toMatchObject({
    tool: 'ask',
    outcome: 'result',
    result: { got: { roots } },
    rounds: 1,
  });
  expect(player.asks).toMatchObject([{ method: 'roots/list', call: 1 }]);
});

test('a 2026-07-28 client identifies itself in each request, and answers in a second round', async () => {
  await using stage = await play(difficultClients.modernCooperative, { roots });
  const { player, seen } = stage;
  expect(await player.call('ask')).toMatchObject({
    outcome: 'result',
    rounds: 2,
    result: { got: { key: { roots } } },
  });
  expect(seen.map(({ method }) => method)).toEqual(['server/discover', 'tools/call', 'tools/call']);
  expect(seen.at(-1)?.['params']).toMatchObject({
    requestState: 'state',
    _meta: { 'io.modelcontextprotocol/clientCapabilities': { roots: {} } },
  });
});

test('a client that never repeats the call leaves the question open', async () => {
  await using stage = await play(difficultClients.modernSilent);
  expect(await stage.player.call('ask')).toMatchObject({ outcome: 'unanswered', rounds: 1 });
});

test('a client that forgets its answer gives up after some rounds', async () => {
  await using stage = await play(difficultClients.modernForgetful);
  expect(await stage.player.call('ask')).toMatchObject({ outcome: 'unanswered', rounds: 4 });
});

test('a client without an answer gives up in time', async () => {
  await using stage = await play(difficultClients.cooperative, { bound: 20 });
  expect(await stage.player.call('nothing')).toMatchObject({ outcome: 'silence' });
});

test('a client that hangs up gets no more answers', async () => {
  await using stage = await play(difficultClients.vanishes);
  expect(await stage.player.call('ask')).toMatchObject({ outcome: 'closed' });
});

test('a storm comes before the call, not with it', async () => {
  await using stage = await play(difficultClients.storm, { roots });
  await stage.player.call('ask');
  expect(stage.seen.filter(({ method }) => method === 'notifications/roots/list_changed')).toHaveLength(
    1_000,
  );
  expect(stage.seen.at(-2)?.['method']).toBe('tools/call');
});

interface Staged extends AsyncDisposable {
  readonly player: Player;
  readonly seen: readonly WireMessage[];
}

/** A minimal server: `ask` asks in the style of the revision and returns the answer; `nothing` stays silent. */
async function play(client: DifficultClient, options: PlayOptions = {}): Promise<Staged> {
  const { client: near, server: far } = linkWires();
  const seen: WireMessage[] = [];
  let asking: unknown;
  far.onmessage = (message) => {
    seen.push(message);
    const { id, method } = message;
    const params = (message['params'] ?? {}) as WireMessage;
    if (method === undefined) void far.send({ id: asking, result: { got: message['result'] } });
    else if (method !== 'tools/call') void (id !== undefined && far.send({ id, result: {} }));
    else if (params['name'] === 'nothing') return;
    else if (client.revision < '2026-07-28') {
      asking = id;
      void far.send({ id: 'question', method: 'roots/list' });
    } else void far.send({ id, result: answerModern(params) });
  };
  await far.start();
  const player = await playClient(client, near, options);
  return { player, seen, [Symbol.asyncDispose]: async () => player.close() };
}

function answerModern({ inputResponses }: WireMessage): object {
  if (inputResponses !== undefined && Object.keys(inputResponses as object).length > 0)
    return { got: inputResponses };
  const inputRequests = { key: { method: 'roots/list' } };
  return { resultType: 'input_required', requestState: 'state', inputRequests };
}
