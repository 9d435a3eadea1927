import { basename } from 'node:path';
import { z } from 'zod';
import { escapeText } from '../../base/quote.ts';
import { operations } from '../../boundary/step/operation.ts';
import { RootwardError } from '../../errors.ts';
import { answerQuestion } from '../processes/answer-question.ts';
import type { AskedQuestion } from '../wire/wire.ts';
import { isKeepable } from './choices-for.ts';
import type { PageState } from './page-state.ts';
import { readTypedPath } from './looks.ts';
import { tryPath } from './try-path.ts';

/** A request with a body that changes something. */
export interface PageChange {
  readonly input: z.ZodObject;
  readonly run: (pageState: PageState, input: unknown) => unknown;
}

const text = z.string().min(1).max(32_768);
const operation = z.enum(operations);
const count = z.number().int().min(0).max(10_000);
const answers = ['once', 'session', 'always', 'never'] as const;

/** The requests by URL path. Each of them requires the proof header. */
export const changes: Readonly<Record<string, PageChange>> = {
  '/api/roots/add': change(
    { path: text, name: text.optional() },
    async ({ store, ceiling }, { path: typed, name }) => {
      const path = readTypedPath(typed);
      await ceiling.requireInside(path);
      return nameOf(await store.add({ path, ...nameFor(path, name) }));
    },
  ),
  '/api/roots/rename': change({ root: text, name: text }, async ({ store }, { root, name }) =>
    nameOf(await store.rename(root, name)),
  ),
  '/api/roots/remove': change({ root: text }, async ({ removed }, { root: which }) => {
    const { root, undo } = await removed.remove(which);
    return { name: root.name, undo };
  }),
  '/api/roots/undo': change({ undo: text }, async ({ removed }, { undo }) =>
    nameOf(await removed.restore(undo)),
  ),
  '/api/roots/permit': change(
    { root: text, operation, state: z.enum(['allow', 'ask', 'deny']), server: text.optional() },
    async ({ store }, { root, operation: name, state, server }) =>
      nameOf(await store[state](root, { operations: [name], ...(server === undefined ? {} : { server }) })),
  ),
  '/api/roots/restrict': change({ root: text, glob: text }, async ({ store }, { root, glob }) =>
    nameOf(await store.deny(root, { globs: [glob] })),
  ),
  '/api/roots/unrestrict': change({ root: text, glob: text }, async ({ store }, { root, glob }) =>
    nameOf(await store.allow(root, { globs: [glob] })),
  ),
  '/api/roots/limit': change(
    { server: text, roots: z.array(text).nullable() },
    async ({ store }, { server, roots }) => {
      await store.limit(server, roots ?? undefined);
      return {};
    },
  ),
  '/api/roots/forget': change({ root: text, server: text }, async ({ store }, { root, server }) =>
    nameOf(await store.forget(root, server)),
  ),
  '/api/consent': change({ process: text, question: text, answer: z.enum(answers) }, answerAsked),
  '/api/watching': change(
    { stream: text, visible: count, hidden: count.optional() },
    (pageState, { stream, visible, hidden = 0 }) => {
      pageState.setWindows(stream, { visible, hidden });
      return {};
    },
  ),
  '/api/connect': change({}, (pageState) => {
    const view = pageState.connect();
    if (view !== undefined) return view;
    throw new RootwardError('NOT_FOUND', { verb: 'connect to', path: 'the server next to the page' });
  }),
  '/api/try': change(
    {
      path: z.string().max(32_768),
      operation,
      server: text.optional(),
      process: text.optional(),
      connection: text.optional(),
      root: text.optional(),
    },
    (pageState, { path, operation: name, server, process, connection, root }) =>
      tryPath(pageState.store.snapshot(), {
        path,
        operation: name,
        server,
        process: pageState.running().find(({ id }) => id === process),
        connection,
        root,
      }),
  ),
};

/** Erases the types after the compiler has checked that they agree. */
function change<Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (pageState: PageState, input: z.infer<z.ZodObject<Shape>>) => unknown,
): PageChange {
  const input = z.strictObject(shape);
  return { input, run: (pageState, value) => run(pageState, value as z.infer<z.ZodObject<Shape>>) };
}

/** A name for a folder whose own name holds invisible characters; they are written out. */
function nameFor(path: string, name: string | undefined): { readonly name?: string } {
  if (name !== undefined) return { name };
  const own = basename(path);
  const shown = escapeText(own);
  return shown === own ? {} : { name: shown.slice(0, longestName) };
}

const longestName = 100;

function nameOf({ name }: { readonly name: string }): { readonly name: string } {
  return { name };
}

interface GivenAnswer {
  readonly process: string;
  readonly question: string;
  readonly answer: (typeof answers)[number];
}

async function answerAsked(
  pageState: PageState,
  { process, question, answer }: GivenAnswer,
): Promise<{ readonly late: boolean; readonly kept: boolean }> {
  const asked = pageState
    .running()
    .find(({ id }) => id === process)
    ?.questions.find(({ id }) => id === question);
  // Another window answered first, or the question expired. That is not an error of this click.
  if (asked === undefined) return { late: true, kept: false };
  const keep = (): Promise<boolean> => keepAnswer(pageState, asked, answer);
  const reply = await answerQuestion(pageState.state, { process, question, keep }, answer);
  return { late: reply === undefined, kept: reply?.kept ?? false };
}

/** Saves `always` or `never` as a permission of this root for this server, if that would take effect. */
async function keepAnswer(
  { store }: PageState,
  asked: AskedQuestion,
  answer: (typeof answers)[number],
): Promise<boolean> {
  const { operation: name, places, server } = asked;
  const isLasting = answer === 'always' || answer === 'never';
  if (!isLasting || name === undefined || !isKeepable(asked, store)) return false;
  const wish = { operations: [name], ...(server === undefined ? {} : { server }) };
  for (const place of places) {
    await (answer === 'always' ? store.allow(place, wish) : store.deny(place, wish));
  }
  return true;
}
