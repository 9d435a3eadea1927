import { type Fields, fieldsOf } from '../../base/fields.ts';

/** The arguments by which a caller names the project of one call; `cwd` goes first. */
export type ProjectArgumentName = 'cwd' | 'project';

/** Characters of a path; longer ones do not exist. */
export const longestPlace = 65_536;

/** The meaning of the two arguments, in every schema that has them. */
export const projectDescriptions: {
  readonly [Name in ProjectArgumentName]: string;
} = {
  cwd: 'Directory within the roots to work in, for this call only; relative paths start there',
  project: 'The same as cwd',
};

const properties: Fields = Object.fromEntries(
  Object.entries(projectDescriptions).map(([name, description]) => [
    name,
    { type: 'string', maxLength: longestPlace, description },
  ]),
);

/**
 * Adds the two arguments to the input schema of a tool, unless it has arguments of those names. A schema that
 * refuses further properties stays as it is, because the tool would refuse the call.
 */
export function withProjectProperties(schema: Fields): Fields {
  if (schema['additionalProperties'] === false) return schema;
  return {
    ...schema,
    properties: { ...fieldsOf(schema['properties']), ...missing(schema) },
  };
}

function missing(schema: Fields): Fields {
  const own = fieldsOf(schema['properties']);
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !Object.hasOwn(own, name)));
}

/** Adds them to every tool of a list. */
export function listWithProjectProperties(result: unknown): unknown {
  const { tools } = fieldsOf(result);
  if (!Array.isArray(tools)) return result;
  const listed: readonly unknown[] = tools;
  return {
    ...fieldsOf(result),
    tools: listed.map((tool) => withProjectSchema(fieldsOf(tool))),
  };
}

function withProjectSchema(tool: Fields): Fields {
  return {
    ...tool,
    inputSchema: withProjectProperties(fieldsOf(tool['inputSchema'])),
  };
}
