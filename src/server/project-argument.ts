import { longestPlace, projectDescriptions } from './sdk/project-properties.ts';

/** The part of Zod that is used, in any of its versions: the caller passes their own. */
export interface StringSchemas {
  string(): { max(length: number): { optional(): { describe(text: string): unknown } } };
}

/** The schema of an optional text in that version. */
export type OptionalText<Z extends StringSchemas> = ReturnType<
  ReturnType<ReturnType<ReturnType<Z['string']>['max']>['optional']>['describe']
>;

/**
 * The arguments by which a caller names the project of one call, for the schema of a tool that wants to read them.
 * They take effect with `attach(server, { argument: true })`, which also lists them for tools that do not declare
 * them. A place outside what is allowed is refused, because a model may have been tricked into naming it.
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
    z.string().max(longestPlace).optional().describe(description) as OptionalText<Z>;
  return { cwd: text(projectDescriptions.cwd), project: text(projectDescriptions.project) };
}
