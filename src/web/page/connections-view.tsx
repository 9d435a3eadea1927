import type { JSX } from 'preact';
import type { ConnectionView, ProcessView } from '../wire.ts';
import { Behaviour } from './behaviour.tsx';
import { Empty } from './empty.tsx';
import { ago, counted } from './format.ts';
import { Text } from './text.tsx';
import { Trail } from './trail.tsx';
import { useModel } from './use-model.ts';

export function ConnectionsView(): JSX.Element {
  const { running } = useModel();
  const processes = (running.value ?? []).filter(({ command }) => command !== 'web');
  return (
    <section class="view scroll">
      <header class="head">
        <div>
          <h1>Connections</h1>
          <p class="lead">Who is connected now, which project each one got, and why.</p>
        </div>
      </header>
      {processes.length === 0 ? (
        <Empty icon="connections" title="Nobody is connected">
          <p>Servers of yours appear here by themselves, as soon as a client starts one. For example:</p>
          <pre>
            <code>
              {'{ "mcpServers": { "rootward": { "command": "npx", "args": ["-y", "rootward"] } } }'}
            </code>
          </pre>
          <p class="hint">
            Or in a terminal: <code>rootward serve --http :0</code>
          </p>
        </Empty>
      ) : (
        processes.map((process) => <ProcessCard key={process.id} process={process} />)
      )}
    </section>
  );
}

function ProcessCard({ process }: { readonly process: ProcessView }): JSX.Element {
  const { command, pid, directory, started, connections, url, version } = process;
  return (
    <section class="process" aria-label={`rootward ${command}, process ${pid}`}>
      <header class="process-head">
        <h2>rootward {command}</h2>
        <span class="hint">
          process {pid}, version {version}, began {ago(started)} in{' '}
          <Text of={directory} class="path" most={80} />
        </span>
        {url === undefined ? null : <Text of={url} class="path" />}
      </header>
      {connections.length === 0 ? <p class="none">It waits for a client.</p> : null}
      {connections.map((connection) => (
        <ConnectionCard key={connection.id} connection={connection} />
      ))}
    </section>
  );
}

function ConnectionCard({ connection }: { readonly connection: ConnectionView }): JSX.Element {
  const { client, version, revision, transport, seen, project, source, roots, why } = connection;
  return (
    <article class="card">
      <header class="card-head">
        <h3>
          <Text of={client ?? 'A client without a name'} most={80} />
          {version === undefined ? null : (
            <span class="version">
              {' '}
              <Text of={version} most={40} />
            </span>
          )}
        </h3>
        <span class="chips">
          <span class="chip plain">{transport === 'http' ? 'HTTP' : 'stdio'}</span>
          {revision === undefined ? null : (
            <span class="chip plain">
              <Text of={revision} most={20} />
            </span>
          )}
        </span>
        <span class="hint">last seen {ago(seen)}</span>
      </header>
      <Behaviour connection={connection} />
      <p class="project">
        {project === undefined ? (
          <span class="state bad">
            <span class="dot" aria-hidden="true" />
            no project
          </span>
        ) : (
          <>
            Works in <Text of={project.name} class="strong" most={80} />
            {project.location === undefined ? null : <Text of={project.location} class="path" most={160} />}
            {source === undefined ? null : <span class="hint">told by {source}</span>}
          </>
        )}
      </p>
      <p class="hint">
        {roots.length === 0 ? 'It can reach nothing' : `It can reach ${counted(roots.length, 'root')}: `}
        {roots.slice(0, 6).map((root, at) => (
          <span key={root}>
            {at === 0 ? '' : ', '}
            <Text of={root} most={60} />
          </span>
        ))}
        {roots.length > 6 ? ` and ${roots.length - 6} more` : ''}
        {why === undefined ? null : (
          <>
            {' '}
            (<Text of={why} />)
          </>
        )}
      </p>
      <Trail connection={connection} />
    </article>
  );
}
