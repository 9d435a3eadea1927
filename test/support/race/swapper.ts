import { fork } from 'node:child_process';
import { once } from 'node:events';

/** One call of the attacker, on names relative to its directory. */
export type SwapStep = readonly [call: 'rename' | 'link', from: string, to: string];

/** A second process that exchanges names until it is stopped. */
export interface Swapper extends AsyncDisposable {
  /** Ends it after a whole cycle; resolves with the number of cycles. */
  stop(): Promise<number>;
}

/** Generous: only a machine that is stuck needs this long. */
const patience = 15_000;

/** Starts the attacker; resolves when it has begun to exchange. */
export async function startSwapper(directory: string, cycle: readonly SwapStep[]): Promise<Swapper> {
  const script = new URL('swapper.mjs', import.meta.url);
  const child = fork(script, [directory, JSON.stringify(cycle)], { execArgv: [] });
  const nextMessage = async (): Promise<unknown> => {
    const [message] = await once(child, 'message', { signal: AbortSignal.timeout(patience) });
    return message;
  };
  await nextMessage();
  return {
    async stop() {
      const cycles = nextMessage();
      child.send('stop');
      return Number(await cycles);
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit', { signal: AbortSignal.timeout(patience) });
      child.kill('SIGKILL');
      await exit;
    },
  };
}
