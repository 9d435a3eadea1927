import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TryView as Tried } from '../wire.ts';
import { Icon } from './icon.tsx';
import { operationList, operationNames } from './permission-switch.tsx';
import { Text } from './text.tsx';
import { useModel } from './use-model.ts';

/** A path and an operation, and the way to the answer. Nothing is touched. */
export function TryView(): JSX.Element {
  const { api, attempt, wish, roots } = useModel();
  const [server, setServer] = useState('');
  const [tried, setTried] = useState<Tried>();
  const { path, operation } = wish.value;
  const servers = Object.keys(roots.value?.subsets ?? {});
  useEffect(() => {
    if (path.trim() === '') {
      setTried(undefined);
      return;
    }
    const timer = setTimeout(() => {
      const body = { path, operation, ...(server.trim() === '' ? {} : { server: server.trim() }) };
      void attempt(async () => setTried(await api.post<Tried>('/api/try', body)));
    }, 150);
    return () => clearTimeout(timer);
  }, [path, operation, server, roots.value, api, attempt]);
  return (
    <section class="view scroll">
      <header class="head">
        <div>
          <h1>Try it</h1>
          <p class="lead">Would it be allowed? Every step to the answer, and nothing is touched.</p>
        </div>
      </header>
      <form class="try-form" onSubmit={(event) => event.preventDefault()}>
        <label class="grow">
          Path or file URI
          <input
            value={path}
            placeholder="/home/you/code/app/.env"
            spellcheck={false}
            autocomplete="off"
            onInput={({ currentTarget }) => (wish.value = { path: currentTarget.value, operation })}
          />
        </label>
        <label>
          Operation
          <select
            value={operation}
            onChange={({ currentTarget }) => (wish.value = { path, operation: currentTarget.value })}
          >
            {operationList.map((name) => (
              <option key={name} value={name}>
                {operationNames[name]}
              </option>
            ))}
          </select>
        </label>
        <label>
          As server
          <input
            value={server}
            list="servers"
            placeholder="any"
            onInput={({ currentTarget }) => setServer(currentTarget.value)}
          />
        </label>
        <datalist id="servers">
          {servers.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </form>
      <div role="status">{tried === undefined ? <Teaching /> : <Way tried={tried} />}</div>
    </section>
  );
}

function Teaching(): JSX.Element {
  return (
    <p class="none">
      Type a path as a model would, with all its tricks: <code>../</code>, links, <code>%2e%2e</code>. You see
      which root holds it, which rule decides, and what is really there.
    </p>
  );
}

const words = { allow: 'Allowed', deny: 'Refused', ask: 'You would be asked' } as const;

function Way({ tried: { verdict, rule, steps, hint } }: { readonly tried: Tried }): JSX.Element {
  return (
    <article class={`verdict-card ${verdict}`}>
      <h2>
        {words[verdict]}
        <span class="hint">
          {' '}
          by <Text of={rule} most={120} />
        </span>
      </h2>
      <ol class="steps">
        {steps.map(({ title, outcome, text }) => (
          <li key={title} class={outcome}>
            <span class="step-mark">{outcome === 'skipped' ? '–' : <Icon name={outcome} />}</span>
            <span class="strong">{title}</span>
            <Text of={text} most={600} />
          </li>
        ))}
      </ol>
      {hint === undefined || hint === '' ? null : (
        <p class="remedy">
          <Text of={hint} most={600} />
        </p>
      )}
    </article>
  );
}
