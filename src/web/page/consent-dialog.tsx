import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ConsentChoice, ProcessView, QuestionView } from '../wire/wire.ts';
import { useModel } from './live/use-model.ts';
import { Dialog } from './parts/dialog.tsx';
import { counted } from './parts/format.tsx';
import { Text } from './parts/text.tsx';
import { QuestionWords } from './question-words.tsx';

interface PendingQuestion {
  readonly process: ProcessView;
  readonly question: QuestionView;
}

/**
 * Shows the questions of running servers, the oldest first. A question that is not answered in time counts as refused.
 */
export function ConsentDialog(): JSX.Element | null {
  const { running, frozen } = useModel();
  const [later, setLater] = useState<ReadonlySet<string>>(new Set());
  const pending: readonly PendingQuestion[] = (running.value ?? []).flatMap((process) =>
    process.questions.map((question) => ({ process, question })),
  );
  // Without a server that could take the answer, no question is shown.
  if (frozen.value || pending.length === 0) return null;
  const next = pending.find(({ question }) => !later.has(question.id));
  if (next !== undefined) {
    const hide = (): void => setLater(new Set([...later, next.question.id]));
    return <Asked key={next.question.id} pending={next} onHide={hide} />;
  }
  return (
    <button type="button" class="waiting" onClick={() => setLater(new Set())}>
      {counted(pending.length, 'question')} waiting
    </button>
  );
}

interface AskedProps {
  readonly pending: PendingQuestion;
  readonly onHide: () => void;
}

function Asked({ pending: { process, question }, onHide }: AskedProps): JSX.Element {
  const { api, attempt, showToast } = useModel();
  const seconds = useSecondsUntil(question.until);
  const answer = (chosen: ConsentChoice): void => {
    onHide();
    void attempt(async () => {
      const body = { process: process.id, question: question.id, answer: chosen };
      const { late, kept } = await api.post<{ late: boolean; kept: boolean }>('/api/consent', body);
      const toast = wordsAfter({ question, chosen, late, kept });
      if (toast !== undefined) showToast({ text: toast });
    });
  };
  return (
    <Dialog
      title={question.kind === 'exposure' ? 'A server asks you' : 'A client asks you'}
      onClose={onHide}
      noCross
    >
      <div class="consent">
        <QuestionWords question={question} process={process} />
        <Choices question={question} onAnswer={answer} />
        <p class="consent-foot">
          <button type="button" class="link" onClick={onHide}>
            Not now (Esc)
          </button>
          <span class="countdown" aria-live="off">
            Refused automatically in {counted(seconds, 'second')}.
          </span>
        </p>
      </div>
    </Dialog>
  );
}

const names: { readonly [One in ConsentChoice]: string } = {
  once: 'Once',
  session: 'This session',
  always: 'Always',
  never: 'Never',
};

interface ChoicesProps {
  readonly question: QuestionView;
  readonly onAnswer: (answer: ConsentChoice) => void;
}

/**
 * The possible answers, and the scope of each. They are disabled for the first moment, and number keys count only
 * while the focus is already here, so that typing elsewhere cannot answer.
 */
function Choices({ question: { choices }, onAnswer }: ChoicesProps): JSX.Element {
  const settled = useSettled();
  const pressed = ({ key, repeat, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
    const choice = choices[Number(key) - 1];
    if (choice === undefined || !settled || repeat || ctrlKey || metaKey || altKey) return;
    onAnswer(choice.answer);
  };
  return (
    <div class="choices" role="group" aria-label="Your answer" onKeyDown={pressed}>
      {choices.map(({ answer, covers }, index) => (
        <button
          key={answer}
          type="button"
          disabled={!settled}
          class={answer === 'never' ? 'choice danger' : 'choice'}
          aria-keyshortcuts={String(index + 1)}
          onClick={() => onAnswer(answer)}
          onKeyDown={(event) => {
            // A key that was held down from before is not an answer.
            if (event.repeat) event.preventDefault();
          }}
        >
          <span class="strong">{names[answer]}</span>
          <Text of={covers} class="hint" most={240} />
          <kbd aria-hidden="true">{index + 1}</kbd>
        </button>
      ))}
    </div>
  );
}

interface AnsweredQuestion {
  readonly question: QuestionView;
  readonly chosen: ConsentChoice;
  readonly late: boolean;
  readonly kept: boolean;
}

/** Returns a message if the outcome differs from what the button promised. */
function wordsAfter({ question, chosen, late, kept }: AnsweredQuestion): string | undefined {
  if (late) return 'The question had already ended, so your answer had no effect';
  const promised = question.choices.find(({ answer }) => answer === chosen)?.kept ?? false;
  return promised && !kept ? 'Your answer counts now, but could not be saved for later' : undefined;
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

/** Milliseconds without a key or click before an answer counts. */
export const settleFor = 700;

/**
 * Tells whether a moment has passed without a key or click since this appeared. A person who was typing or clicking
 * elsewhere cannot have meant it.
 */
function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => whenSettled(document, () => setSettled(true)), []);
  return settled;
}

/** Calls `run` once, after a moment without a key or click. Returns a function that cancels it. */
export function whenSettled(
  presses: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>,
  run: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    for (const kind of kinds) presses.removeEventListener(kind, begin, capture);
  };
  const begin = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      stop();
      run();
    }, settleFor);
  };
  for (const kind of kinds) presses.addEventListener(kind, begin, capture);
  begin();
  return stop;
}

const kinds = ['keydown', 'pointerdown'] as const;
const capture = { capture: true } as const;
