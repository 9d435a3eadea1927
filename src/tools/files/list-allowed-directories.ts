import { z } from 'zod';
import { oneLinePath } from '../tool/one-line-path.ts';
import { textOutput, textResult } from '../tool/answer.ts';
import { defineTool, type Tool } from '../tool/tool.ts';

export const listAllowedDirectories: Tool = defineTool({
  name: 'list_allowed_directories',
  title: 'List allowed directories',
  description: 'Lists the directories that can be reached, with everything beneath them, as absolute paths.',
  operations: [],
  effect: 'read',
  input: z.object({}),
  output: textOutput,
  async run(_input, call) {
    const { roots } = await call.workspace();
    return textResult(`Allowed directories:\n${roots.map(({ path }) => oneLinePath(path)).join('\n')}`);
  },
});
