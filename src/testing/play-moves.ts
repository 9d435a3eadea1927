import { setTimeout as wait } from 'node:timers/promises';
import type { Move } from './difficult-client.ts';

/** The connection that moves act on. */
export interface MoveStage {
  readonly answer: (result: unknown) => Promise<void> | void;
  readonly refuse: (error: object) => Promise<void> | void;
  readonly forget?: () => void;
  readonly send: (message: object) => Promise<void>;
  readonly close: () => Promise<void>;
  /** Id of the request that is being answered. */
  readonly id?: unknown;
  /** Aborts a move that waits. */
  readonly signal: AbortSignal;
}

/** Plays moves in order until the last one or until the connection is gone. */
export async function playMoves(moves: readonly Move[], stage: MoveStage): Promise<void> {
  for (const move of moves) {
    if (stage.signal.aborted) return;
    await play(move, stage);
  }
}

async function play(move: Move, stage: MoveStage): Promise<void> {
  switch (move.move) {
    case 'answer':
      return stage.answer(move.result);
    case 'refuse': {
      const { code, message, data } = move;
      return stage.refuse({ code, message, ...(data !== undefined && { data }) });
    }
    case 'forget':
      return stage.forget?.();
    case 'wait':
      await wait(move.milliseconds, undefined, { signal: stage.signal, ref: false }).catch(() => undefined);
      return;
    case 'close':
      return stage.close();
    case 'send': {
      const message = { ...move.message, ...('id' in move.message && { id: idOf(move.message.id, stage) }) };
      for (let sent = 0; sent < (move.times ?? 1); sent += 1) await stage.send(message);
    }
  }
}

function idOf(id: unknown, stage: MoveStage): unknown {
  return id === '$id' ? stage.id : id;
}
