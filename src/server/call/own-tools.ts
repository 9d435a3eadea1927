import { type Fields, fieldsOf } from '../../base/fields.ts';
import { withProjectProperties } from '../sdk/project-properties.ts';
import type { OwnToolName } from '../settings/attach-options.ts';

/** A tool as `tools/list` shows it. Plain JSON, so that it needs neither an SDK nor a schema library. */
export interface OwnToolListing {
  readonly name: OwnToolName;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Fields;
  readonly outputSchema?: Fields;
  readonly annotations: Fields;
}

const text = (description: string): Fields => ({ type: 'string', description });
const object = (properties: Fields, required: readonly string[] = Object.keys(properties)): Fields => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});
const listOf = (items: Fields): Fields => ({ type: 'array', items });

/** A path argument; longer paths do not exist. */
const place = (description: string): Fields => ({ ...text(description), maxLength: 65_536 });

const cwd = withProjectProperties(object({}));

const root = object({
  uri: text('File URI'),
  path: text('Absolute path'),
  name: text('What it is called'),
  kind: { enum: ['directory', 'file', 'unknown'] },
});

const project = object({ name: text('Name'), location: text('Absolute path'), id: text('Stable identity') }, [
  'name',
  'id',
]);

const known = {
  project,
  source: text('What named the project'),
  confidence: { enum: ['certain', 'likely', 'weak', 'guessed'] },
  roots: listOf(root),
  why: text('Why these roots count'),
  issues: listOf({ type: 'object', description: 'A problem with a place that was named, and its remedy' }),
};

const step = object({
  source: text('What was asked'),
  outcome: { enum: ['chosen', 'refused', 'absent', 'passed'] },
  offered: listOf(text('What it named')),
  reason: text('Why'),
});

const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** The tools that `attach` offers. Their output schemas require nothing, because a refusal has no output. */
export const ownTools: { readonly [Name in OwnToolName]: OwnToolListing } = {
  list_roots: {
    name: 'list_roots',
    title: 'List roots',
    description: 'Lists the directories and files that may be reached, and the project they belong to.',
    inputSchema: cwd,
    outputSchema: object(known, []),
    annotations: readOnly,
  },
  why: {
    name: 'why',
    title: 'Why this project',
    description:
      'Explains which project this is, where that answer comes from, and every source that was tried, with the remedy.',
    inputSchema: cwd,
    outputSchema: object({ ...known, trail: listOf(step) }, []),
    annotations: readOnly,
  },
  switch_project: {
    name: 'switch_project',
    title: 'Switch project',
    description:
      'Makes another project the current one: its name, its path or its file URI, within what is allowed.',
    inputSchema: withProjectProperties(object({ project: place('Name, path or file URI') })),
    outputSchema: object(known, []),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
};

/** Appends our tools to the last page of the list; they replace others of the same name. */
export function withOwnTools(
  result: unknown,
  offered: readonly OwnToolName[],
  takesStructured: boolean,
): unknown {
  const { tools, nextCursor } = fieldsOf(result);
  const listOwn = (name: OwnToolName): Partial<OwnToolListing> => {
    const { outputSchema, ...listing } = ownTools[name];
    return takesStructured ? { ...listing, ...(outputSchema && { outputSchema }) } : listing;
  };
  const listed: readonly unknown[] = Array.isArray(tools) ? tools : [];
  const others = listed.filter((tool) => !offered.some((name) => name === fieldsOf(tool)['name']));
  const own = nextCursor === undefined ? offered.map(listOwn) : [];
  return { ...fieldsOf(result), tools: [...others, ...own] };
}
