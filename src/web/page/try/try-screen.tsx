import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TryView as Tried } from '../../wire/wire.ts';
import { useModel } from '../live/use-model.ts';
import { Icon } from '../parts/icon.tsx';
import { Text } from '../parts/text.tsx';
import { asWhom } from './try-as.ts';
import { TryForm } from './try-form.tsx';

/** Shows how access to a path would be decided, step by step, without touching it. */
export function TryScreen(): JSX.Element {
  const [as, setAs] = useState('');
  const [server, setServer] = useState('');
  const tried = useTried(as, server.trim());
  return (
    <section class="view scroll">
      <header class="head">
        <div>
          <h1>Try it</h1>
          <p class="lead">Would it be allowed? See every step of the decision. Nothing is touched.</p>
        </div>
      </header>
      <TryForm as={as} onAs={setAs} server={server} onServer={setServer} />
      <div role="status">{tried === undefined ? <Teaching /> : <Way tried={tried} />}</div>
    </section>
  );
}

/** Milliseconds to wait for the end of typing. */
const typing = 150;

/** Returns the decision for the current input, and updates it when the rules change. */
function useTried(as: string, server: string): Tried | undefined {
  const { api, attempt, wish, roots, running, frozen } = useModel();
  const [tried, setTried] = useState<Tried>();
  const { path, operation, root } = wish.value;
  const whom = asWhom(as, running.value ?? []);
  const body = {
    path,
    operation,
    ...(root === undefined ? {} : { root }),
    ...(whom ?? (server === '' ? {} : { server })),
  };
  const key = JSON.stringify(body);
  useEffect(() => {
    if (path.trim() === '') {
      setTried(undefined);
      return;
    }
    if (frozen.value) return;
    let isOver = false;
    const timer = setTimeout(() => {
      void attempt(async () => {
        const answer = await api.post<Tried>('/api/try', body);
        if (!isOver) setTried(answer);
      });
    }, typing);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [key, roots.value, frozen.value, api, attempt]);
  return tried;
}

const lessons = [
  ['~/code/app/.env', 'a file that usually holds secrets'],
  ['../outside', 'a path that leaves the root'],
  ['file:///tmp/%2e%2e/etc', 'the same, encoded'],
] as const;

function Teaching(): JSX.Element {
  const { wish } = useModel();
  return (
    <div class="teaching">
      <p>
        Type a path as a model would, with all its tricks. You see which root contains it, which rule decides,
        and what is really there. For example:
      </p>
      <ul class="lessons">
        {lessons.map(([path, what]) => (
          <li key={path}>
            <button type="button" class="link" onClick={() => (wish.value = { ...wish.peek(), path })}>
              <code>{path}</code>
            </button>{' '}
            <span class="hint">{what}</span>
          </li>
        ))}
      </ul>
    </div>
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
