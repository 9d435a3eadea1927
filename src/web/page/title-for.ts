import type { ProcessView } from '../wire/wire.ts';

/** The title of the window: who looks at another one sees there that a question waits. */
export function titleFor(view: string, running: readonly Pick<ProcessView, 'questions'>[]): string {
  const waiting = running.reduce((count, { questions }) => count + questions.length, 0);
  return `${waiting === 0 ? '' : `(${waiting}) `}${view} · Rootward`;
}
