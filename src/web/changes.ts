import { basename } from 'node:path';
import { z } from 'zod';
import { operations } from '../boundary/operation.ts';
import { RootwardError } from '../errors.ts';
import { isFileUri, parseFileUri } from '../path/file-uri.ts';
import { escapeText } from '../quote.ts';
import { answerQuestion } from './running.ts';
import type { Desk } from './desk.ts';
import { tryPath } from './try-path.ts';
import type { QuestionView } from './wire.ts';

/** One thing that the page can ask for with a body. */
export interface PageChange {
  readonly input: z.ZodObject;
  readonly run: (desk: Desk, input: unknown) => unknown;
}

const text = z.string().min(1).max(32_768);
const operation = z.enum(operations);
const answers = ['once', 'session', 'always', 'never'] as const;

/** By the path of the URL. Each of them needs the header of the page. */
export const changes: Readonly<Record<string, PageChange>> = {
  '/api/roots/add': change(
    { path: text, name: text.optional() },
    async ({ store, ceiling }, { path, name }) => {
      await ceiling.requireInside(path);
      return nameOf(await store.add({ path, ...nameFor(path, name) }));
    },
  ),
  '/api/roots/rename': change({ root: text, name: text }, async ({ store }, { root, name }) =>
    nameOf(await store.rename(root, name)),
  ),
  '/api/roots/remove': change({ root: text }, async ({ store }, { root }) => {
    const { name } = await store.remove(root);
    return { name, revision: store.revision };
  }),
  '/api/roots/undo': change({ revision: z.number() }, async ({ store }, { revision }) => {
    if (store.revision !== revision) {
      throw new RootwardError('CANNOT_UNDO', { reason: 'something else was changed since' });
    }
    await store.undo();
    return {};
  }),
  '/api/roots/permit': change(
    { root: text, operation, allowed: z.boolean(), server: text.optional() },
    async ({ store }, { root, operation: name, allowed, server }) => {
      const wish = { operations: [name], ...(server === undefined ? {} : { server }) };
      return nameOf(await (allowed ? store.allow(root, wish) : store.deny(root, wish)));
    },
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
  '/api/consent': change(
    { process: text, question: text, answer: z.enum(answers) },
    async (desk, { process, question, answer }) => {
      const asked = desk
        .running()
        .find(({ id }) => id === process)
        ?.questions.find(({ id }) => id === question);
      // Somebody else answered, or its time is over: that is no mistake of whoever clicks.
      if (asked === undefined) return { late: true, kept: false };
      await answerQuestion(desk.state, { process, question }, answer);
      return { late: false, kept: await keep(desk, asked, answer) };
    },
  ),
  '/api/try': change(
    { path: z.string().max(32_768), operation, server: text.optional() },
    ({ store }, { path, operation: name, server }) =>
      tryPath(store.snapshot(), { path, operation: name, ...(server === undefined ? {} : { server }) }),
  ),
};

/** Forgets the types, after the compiler has seen that they agree. */
function change<Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (desk: Desk, input: z.infer<z.ZodObject<Shape>>) => unknown,
): PageChange {
  const input = z.strictObject(shape);
  return { input, run: (desk, value) => run(desk, value as z.infer<z.ZodObject<Shape>>) };
}

/** A folder whose name has characters that cannot be seen gets one in which they can. */
function nameFor(path: string, name: string | undefined): { readonly name?: string } {
  if (name !== undefined) return { name };
  const own = basename(isFileUri(path) ? parseFileUri(path) : path);
  const shown = escapeText(own);
  return shown === own ? {} : { name: shown.slice(0, longestName) };
}

const longestName = 100;

function nameOf({ name }: { readonly name: string }): { readonly name: string } {
  return { name };
}

/** `always` and `never` become permissions of the root. One that is not in the store is remembered by the process. */
async function keep(
  { store }: Desk,
  { kind, operation: name, roots }: QuestionView,
  answer: (typeof answers)[number],
): Promise<boolean> {
  const isLasting = answer === 'always' || answer === 'never';
  if (kind !== 'access' || !isLasting || name === undefined) return false;
  const known = roots.filter((root) => store.get(root) !== undefined);
  for (const root of known) {
    const wish = { operations: [name] };
    await (answer === 'always' ? store.allow(root, wish) : store.deny(root, wish));
  }
  return known.length > 0;
}
