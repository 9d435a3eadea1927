/** As much of Zod as is needed, in any of its versions: whoever calls brings their own. */
export interface StringSchemas {
  string(): { max(length: number): { optional(): { describe(text: string): unknown } } };
}

/** The schema of an optional text, as that version has it. */
export type OptionalText<Z extends StringSchemas> = ReturnType<
  ReturnType<ReturnType<ReturnType<Z['string']>['max']>['optional']>['describe']
>;

/** Characters of a path. */
const longest = 65_536;

const descriptions = {
  cwd: 'Directory of the project to work in, for this call only: an absolute path or a file URI within the roots',
  project: 'The same as cwd',
} as const;

/**
 * The arguments with which a caller names the project of one call, for the schema of a tool. With
 * `attach(server, { argument: true })` they count as soon as they are there; they are refused outside of what
 * is allowed, because a model that read something hostile may have written them.
 *
 * @example
 * ```ts
 * import { z } from 'zod';
 *
 * const inputSchema = z.object({ query: z.string(), ...projectArgument(z) });
 * inputSchema.parse({ query: 'x', cwd: '/srv/app' }) // → { query: 'x', cwd: '/srv/app' }
 * ```
 */
export function projectArgument<Z extends StringSchemas>(
  z: Z,
): { cwd: OptionalText<Z>; project: OptionalText<Z> } {
  const text = (description: string): OptionalText<Z> =>
    z.string().max(longest).optional().describe(description) as OptionalText<Z>;
  return { cwd: text(descriptions.cwd), project: text(descriptions.project) };
}
