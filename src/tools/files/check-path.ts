import { z } from 'zod';
import { escapeText } from '../../base/quote.ts';
import { operations } from '../../boundary/step/operation.ts';
import { errorCodes } from '../../errors.ts';
import { expandHome } from '../../path/home.ts';
import type { AccessRequest } from '../../policy/decide.ts';
import type { PathCheck } from '../../server/settings/path-check.ts';
import { pathText } from '../tool/answer-limits.ts';
import { textOutput, textResult } from '../tool/answer.ts';
import { oneLinePath } from '../tool/shown-path.ts';
import { defineTool, type Tool } from '../tool/tool.ts';

const kinds = ['file', 'directory', 'link', 'FIFO', 'socket', 'device', 'unknown'] as const;

const output = z.object({
  allowed: z.boolean(),
  rule: z.string().describe('Which rule decides'),
  reason: z.string(),
  root: z.string().optional().describe('Name of the root that holds the path'),
  place: z.string().optional().describe('Where it would act: real names from that root'),
  kind: z.enum(kinds).optional().describe('What is there; absent if the name is free'),
  code: z.enum(errorCodes).optional(),
  hint: z.string().optional(),
});

export const checkPath: Tool = defineTool({
  name: 'check_path',
  title: 'Check path',
  description:
    'Shows whether an operation on a path would be allowed, where it would act and which rule decides, ' +
    'without doing it.',
  operations: [],
  effect: 'read',
  answers: 'data',
  input: z.object({
    path: pathText.describe('Absolute, relative to the project, or a file URI'),
    operation: z.enum(operations).default('read'),
  }),
  output,
  async run({ path, operation }, call) {
    const request = { operation, path };
    const answer = await call.check({ operation, path: expandHome(path) });
    return { content: [{ type: 'text', text: textOf(request, answer) }], structuredContent: answer };
  },
});

function textOf({ operation, path }: AccessRequest, answer: PathCheck): string {
  const { allowed, rule, reason, root, place, kind, hint } = answer;
  const lines = [
    `${operation} ${escapeText(path)}: ${allowed ? 'allowed' : 'refused'}`,
    ...(place === undefined ? [] : [`place: ${escapeText(place)} (${kind ?? 'not there yet'})`]),
    ...(root === undefined ? [] : [`root: ${escapeText(root)}`]),
    `rule: ${rule}`,
    ...(reason === '' ? [] : [`because: ${escapeText(reason)}`]),
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
  ];
  return lines.join('\n');
}

export const listAllowedDirectories: Tool = defineTool({
  name: 'list_allowed_directories',
  title: 'List allowed directories',
  description: 'Lists the directories that can be reached, with everything beneath them, as absolute paths.',
  operations: [],
  effect: 'read',
  isBrief: true,
  input: z.object({}),
  output: textOutput,
  async run(_input, call) {
    const { roots } = await call.workspace();
    return textResult(`Allowed directories:\n${roots.map(({ path }) => oneLinePath(path)).join('\n')}`);
  },
});
