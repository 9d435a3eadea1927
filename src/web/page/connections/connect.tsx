import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConnectView } from '../../wire/wire.ts';
import { useModel } from '../live/use-model.ts';
import { Snippet } from '../parts/snippet.tsx';
import { Text } from '../parts/text.tsx';

/** Shows how a client reaches the MCP server next to the page. The token stays in the terminal. */
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
          A server with your roots runs next to this page. A client needs its address and the token from the
          terminal.
        </p>
      ) : (
        <>
          <p>
            It listens at <Text of={shown.url} class="path" />. Put this into the settings of your client, and
            replace <code>TOKEN</code> by the token. It is <Text of={shown.tokenIs} />: anyone who has it can
            call the server.
          </p>
          <Snippet text={shown.config} label="Settings of a client" />
        </>
      )}
    </section>
  );
}
