import type { JSX } from 'preact';
import { Text } from './text.tsx';
import { useModel } from '../live/use-model.ts';

/** Before the page is let in, and when it is not. */
export function Gate(): JSX.Element {
  const { status, refusal } = useModel();
  const isClosed = status.value === 'closed';
  return (
    <main class="gate">
      <img src="./favicon.svg" alt="" width="44" height="44" />
      <h1>{isClosed ? 'This page is closed' : 'Rootward'}</h1>
      {isClosed ? (
        <>
          <p>
            <Text of={refusal.value?.message ?? 'The server does not know this browser'} />
          </p>
          <p class="hint">
            <Text of={refusal.value?.hint ?? 'Open a new link from the terminal where rootward web runs'} />
          </p>
        </>
      ) : (
        <p role="status">Connecting…</p>
      )}
    </main>
  );
}
