import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Answer, QuestionView } from '../wire.ts';
import { Dialog } from './dialog.tsx';
import { counted } from './format.ts';
import { Text } from './text.tsx';
import { useModel } from './use-model.ts';

interface Pending {
  readonly process: string;
  readonly question: QuestionView;
}

const choices: readonly { readonly answer: Answer; readonly name: string; readonly what: string }[] = [
  { answer: 'once', name: 'Once', what: 'this time alone' },
  { answer: 'session', name: 'This session', what: 'until it disconnects' },
  { answer: 'always', name: 'Always', what: 'kept in your roots' },
  { answer: 'never', name: 'Never', what: 'kept as a no' },
];

/** Questions of running servers, the oldest first. No answer in time is a no. */
export function ConsentDialog(): JSX.Element | null {
  const { running } = useModel();
  const [later, setLater] = useState<ReadonlySet<string>>(new Set());
  const pending: readonly Pending[] = (running.value ?? []).flatMap(({ id, questions }) =>
    questions.map((question) => ({ process: id, question })),
  );
  const next = pending.find(({ question }) => !later.has(question.id));
  if (next !== undefined) {
    const hide = (): void => setLater(new Set([...later, next.question.id]));
    return <Asked key={next.question.id} pending={next} onHide={hide} />;
  }
  if (pending.length === 0) return null;
  return (
    <button type="button" class="waiting" onClick={() => setLater(new Set())}>
      {counted(pending.length, 'question')} waiting
    </button>
  );
}

interface AskedProps {
  readonly pending: Pending;
  readonly onHide: () => void;
}

function Asked({ pending: { process, question }, onHide }: AskedProps): JSX.Element {
  const { api, attempt, say } = useModel();
  const seconds = useSecondsUntil(question.until);
  const answer = (chosen: Answer): void => {
    onHide();
    void attempt(async () => {
      const body = { process, question: question.id, answer: chosen };
      const { late } = await api.post<{ late: boolean }>('/api/consent', body);
      if (late) say({ text: 'The question was over already; the answer changed nothing' });
    });
  };
  const pressed = ({ key, ctrlKey, metaKey }: KeyboardEvent): void => {
    const choice = choices[Number(key) - 1];
    if (choice !== undefined && !ctrlKey && !metaKey) answer(choice.answer);
  };
  return (
    <Dialog title="A server asks you" onClose={onHide} onKeyDown={pressed} noCross>
      <div class="consent">
        <Wording question={question} />
        <p class="countdown" aria-live="off">
          No answer in {counted(seconds, 'second')} is a no.
        </p>
        <div class="choices">
          {choices.map(({ answer: value, name, what }, index) => (
            <button
              key={value}
              type="button"
              class={value === 'never' ? 'choice danger' : 'choice'}
              aria-keyshortcuts={String(index + 1)}
              onClick={() => answer(value)}
            >
              <span class="strong">{name}</span>
              <span class="hint">{what}</span>
              <kbd aria-hidden="true">{index + 1}</kbd>
            </button>
          ))}
        </div>
        <button type="button" class="link" onClick={onHide}>
          Not now (Esc)
        </button>
      </div>
    </Dialog>
  );
}

const verbs = {
  read: 'read',
  list: 'list',
  write: 'write',
  remove: 'remove',
  execute: 'run a program in',
} as const;

function Wording({ question }: { readonly question: QuestionView }): JSX.Element {
  const { who, kind, operation, path, roots, reason } = question;
  return (
    <>
      <p class="question">
        <Text of={who} class="strong" most={80} /> wants to{' '}
        {kind === 'exposure' ? 'see' : verbs[operation ?? 'read']}
        {path === undefined ? null : <Text of={path} class="path big" most={400} />}
      </p>
      <p>
        {kind === 'exposure' ? 'It would see ' : 'That lies in '}
        {roots.map((root, at) => (
          <span key={root}>
            {at === 0 ? '' : ', '}
            <Text of={root} class="strong" most={80} />
          </span>
        ))}
        . <Text of={reason} class="hint" />
      </p>
    </>
  );
}

function useSecondsUntil(until: string): number {
  const left = (): number => Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / 1_000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left()), 500);
    return () => clearInterval(timer);
  }, [until]);
  return seconds;
}
