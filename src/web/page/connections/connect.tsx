import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConnectView } from '../../wire/wire.ts';
import { useModel } from '../live/use-model.ts';
import { Snippet } from '../parts/snippet.tsx';
import { Text } from '../parts/text.tsx';

/** How a client reaches the server beside the page. Its token is in the terminal, and never comes here. */
export function Connect(): JSX.Element {
  const { api, attempt, frozen } = useModel();
  const [shown, setShown] = useState<ConnectView>();
  const show = (): void =>
    void attempt(async () => setShown(await api.post<ConnectView>('/api/connect', {})));
  return (
    <section class="card connect" aria-labelledby="connect-title">
      <header class="card-head">
        <h2 id="connect-title">Connect a client</h2>
        <button
          type="button"
          aria-expanded={shown !== undefined}
          disabled={frozen.value}
          onClick={() => (shown === undefined ? show() : setShown(undefined))}
        >
          {shown === undefined ? 'Show the settings' : 'Hide them'}
        </button>
      </header>
      {shown === undefined ? (
        <p class="hint">
          A server runs beside this page, with your roots. A client needs its address, and the token from the
          terminal.
        </p>
      ) : (
        <>
          <p>
            It listens at <Text of={shown.url} class="path" />. Put this into the settings of your client, and
            the token in the place of <code>TOKEN</code>. It is <Text of={shown.tokenIs} />: whoever has it
            can call the server.
          </p>
          <Snippet text={shown.config} label="Settings of a client" />
        </>
      )}
    </section>
  );
}
