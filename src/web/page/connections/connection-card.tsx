import type { JSX } from 'preact';
import type { ConnectionView } from '../../wire/wire.ts';
import { Ago, counted } from '../parts/format.tsx';
import { Text } from '../parts/text.tsx';
import { Behaviour } from './behaviour.tsx';
import { Trail } from './trail.tsx';

/** One client: its name, behaviour, project, and the reason for that. */
export function ConnectionCard({ connection }: { readonly connection: ConnectionView }): JSX.Element {
  const { client, version, revision, transport, seen } = connection;
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
        <span class="hint">
          last seen <Ago time={seen} />
        </span>
      </header>
      <Behaviour connection={connection} />
      <Where connection={connection} />
      <Reach connection={connection} />
      <Trail connection={connection} />
    </article>
  );
}

function Where({ connection: { project, source } }: { readonly connection: ConnectionView }): JSX.Element {
  if (project === undefined) {
    return (
      <p class="project">
        <span class="state bad">
          <span class="dot" aria-hidden="true" />
          no project
        </span>
      </p>
    );
  }
  return (
    <p class="project">
      Works in <Text of={project.name} class="strong" most={80} />
      {project.location === undefined ? null : <Text of={project.location} class="path" most={160} />}
      {source === undefined ? null : <span class="hint">from {source}</span>}
    </p>
  );
}

function Reach({ connection: { roots, why } }: { readonly connection: ConnectionView }): JSX.Element {
  return (
    <p class="hint">
      {roots.length === 0 ? 'It can reach nothing' : `It can reach ${counted(roots.length, 'root')}: `}
      {roots.slice(0, 6).map((root, at) => (
        <span key={`${at} ${root}`}>
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
  );
}
