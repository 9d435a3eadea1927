import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import { useModel } from '../live/use-model.ts';
import { Text } from './text.tsx';

export interface GuardedProps {
  /** The thing shown here, as the beginning of a sentence. */
  readonly what: string;
  /** A new value tries again. */
  readonly data?: unknown;
  readonly children: ComponentChildren;
}

/** Shows an error in place of its children if they fail, without affecting the rest of the page. */
export function Guarded({ what, data, children }: GuardedProps): ComponentChildren {
  const [error, again] = useErrorBoundary() as [unknown, () => void];
  useEffect(() => {
    if (error !== undefined && error !== null) again();
  }, [data]);
  if (error === undefined || error === null) return children;
  return <Broken what={what} error={error} onAgain={again} />;
}

interface BrokenProps {
  readonly what: string;
  readonly error: unknown;
  readonly onAgain: () => void;
}

function Broken({ what, error, onAgain }: BrokenProps): JSX.Element {
  return (
    <div class="banner bad broken" role="alert">
      <p>
        {what} cannot be shown: <Text of={error instanceof Error ? error.message : String(error)} />
      </p>
      <button type="button" onClick={onAgain}>
        Try again
      </button>
    </div>
  );
}

/** Shown before the page is logged in, and when it is refused. */
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
