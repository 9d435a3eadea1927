import { expect, test } from 'vitest';
import type { Move } from './difficult-client.ts';
import { playMoves, type MoveStage } from './play-moves.ts';

test('plays moves in order', async () => {
  const { played, stage } = prepare();
  await playMoves(
    [
      { move: 'send', message: { id: '$id', result: null } },
      { move: 'send', message: { method: 'x' }, times: 2 },
      { move: 'wait', milliseconds: 1 },
      { move: 'answer', result: 1 },
      { move: 'refuse', code: 2, message: 'no' },
      { move: 'refuse', code: 3, message: 'no', data: 4 },
      { move: 'forget' },
      { move: 'close' },
    ],
    stage,
  );
  expect(played).toEqual([
    ['send', { id: 7, result: null }],
    ['send', { method: 'x' }],
    ['send', { method: 'x' }],
    ['answer', 1],
    ['refuse', { code: 2, message: 'no' }],
    ['refuse', { code: 3, message: 'no', data: 4 }],
    ['forget'],
    ['close'],
  ]);
});

test('an ended stage stops waiting and skips the rest', async () => {
  const ended = new AbortController();
  const { played, stage } = prepare(ended.signal);
  const moves: Move[] = [
    { move: 'wait', milliseconds: 60_000 },
    { move: 'answer', result: 1 },
  ];
  const playing = playMoves(moves, stage);
  ended.abort();
  await playing;
  expect(played).toEqual([]);
});

function prepare(signal = new AbortController().signal): { played: unknown[]; stage: MoveStage } {
  const played: unknown[] = [];
  const stage: MoveStage = {
    id: 7,
    signal,
    answer: (result) => void played.push(['answer', result]),
    refuse: (error) => void played.push(['refuse', error]),
    forget: () => void played.push(['forget']),
    send: async (message) => void played.push(['send', message]),
    close: async () => void played.push(['close']),
  };
  return { played, stage };
}
