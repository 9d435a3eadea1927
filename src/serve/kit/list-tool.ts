import { z } from 'zod';
import type { Tool, ToolAnnotations } from '../../tools/tool/tool.ts';

interface ObjectSchema {
  readonly [key: string]: unknown;
  readonly type: 'object';
}

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: ToolAnnotations;
}

export function listTool({ name, title, description, input, output, annotations }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input, 'input'),
    outputSchema: schemaOf(output, 'output'),
    annotations,
  };
}

/** In the draft that validators of every client know. */
function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  return { ...z.toJSONSchema(schema, { target: 'draft-7', io }), type: 'object' };
}
