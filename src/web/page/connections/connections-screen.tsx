import type { JSX } from 'preact';
import type { ProcessView } from '../../wire/wire.ts';
import { useModel } from '../live/use-model.ts';
import { Empty } from '../parts/empty.tsx';
import { Ago } from '../parts/format.tsx';
import { Guarded } from '../parts/guarded.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { Text } from '../parts/text.tsx';
import { Connect } from './connect.tsx';
import { ConnectionCard } from './connection-card.tsx';

export function ConnectionsScreen(): JSX.Element {
  const { running, about } = useModel();
  const processes = (running.value ?? []).filter(({ command }) => command !== 'web');
  return (
    <section class="view scroll">
      <header class="head">
        <div>
          <h1>Connections</h1>
          <p class="lead">Which clients are connected, which project each one got, and why.</p>
        </div>
      </header>
      {about.value?.connect === true ? <Connect /> : null}
      {processes.length === 0 ? <NoClients /> : null}
      {processes.map((process) => (
        <Guarded key={process.id} what="A process" data={process}>
          <ProcessCard process={process} />
        </Guarded>
      ))}
    </section>
  );
}

const example = `{
  "mcpServers": {
    "rootward": { "command": "npx", "args": ["-y", "rootward"] }
  }
}`;

function NoClients(): JSX.Element {
  return (
    <Empty icon="connections" title="No client is connected">
      <p>
        Your servers appear here as soon as a client starts one. Put this into the settings of your client,
        and start it again:
      </p>
      <Snippet text={example} label="Settings of a client" />
      <p class="hint">
        Or start one in a terminal, for clients that speak HTTP: <code>rootward serve --http :0</code>
      </p>
    </Empty>
  );
}

const commands: { readonly [Name in ProcessView['command']]: string } = {
  serve: 'rootward serve',
  web: 'rootward web',
  watch: 'rootward roots watch',
  host: 'A program with its own roots',
};

function ProcessCard({ process }: { readonly process: ProcessView }): JSX.Element {
  const { command, pid, directory, started, connections, version } = process;
  return (
    <section class="process" aria-label={`${commands[command]}, process ${pid}`}>
      <header class="process-head">
        <h2>{commands[command]}</h2>
        <span class="hint">
          process {pid}, version <Text of={version} most={40} />, began <Ago time={started} /> in{' '}
          <Text of={directory} class="path" most={80} />
        </span>
      </header>
      {connections.length === 0 ? <Waiting process={process} /> : null}
      {connections.map((connection) => (
        <ConnectionCard key={connection.id} connection={connection} />
      ))}
    </section>
  );
}

/** Explains how to connect to a server without clients. */
function Waiting({ process: { command, url } }: { readonly process: ProcessView }): JSX.Element {
  if (command !== 'serve') return <p class="none">It has no clients.</p>;
  return url === undefined ? (
    <p class="none">
      No client has connected yet. It uses stdio, so its client is the program that started it; if that is a
      terminal, no client will connect.
    </p>
  ) : (
    <p class="none">
      No client has connected yet. A client over HTTP reaches it at <Text of={url} class="path" />, with the
      token that it was started with.
    </p>
  );
}
