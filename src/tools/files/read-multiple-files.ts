import { z } from 'zod';
import { escapeText } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import { limits, pathText } from '../tool/answer-limits.ts';
import { textOutput, textResult } from '../tool/answer.ts';
import { createTicker } from '../tool/tool-call.ts';
import { defineTool, type Tool, type ToolCall } from '../tool/tool.ts';
import { readTextPart, type TextPart, textRoom } from './read-text-file.ts';

export const readMultipleFiles: Tool = defineTool({
  name: 'read_multiple_files',
  title: 'Read multiple files',
  description:
    'Reads several text files in one call. Each is given with its path; one that cannot be read ' +
    'is reported in its place and does not stop the others.',
  operations: ['read'],
  effect: 'read',
  isBrief: true,
  input: z.object({
    paths: z
      .array(pathText)
      .min(1)
      .max(limits.paths)
      .describe('Each absolute, relative to the project, or a file URI'),
  }),
  output: textOutput,
  async run({ paths }, call) {
    const tick = createTicker(call);
    const parts: string[] = [];
    const cut: string[] = [];
    let room = textRoom({ room: call.room - paths.join(aroundPath).length });
    for (const [index, path] of paths.entries()) {
      call.signal.throwIfAborted();
      tick(index, `${index} of ${paths.length} files`);
      const part = room > 0 ? await readOne(call, path, room) : notRead;
      const shown = escapeText(path);
      parts.push('text' in part ? `${shown}:\n${part.text}\n` : `${shown}: Error - ${part.error}`);
      if ('text' in part) room -= Buffer.byteLength(part.text);
      if (part === notRead || ('more' in part && part.more !== undefined)) cut.push(shown);
    }
    const more =
      cut.length === 0
        ? undefined
        : `[Cut: together these files are too long. Read these on their own: ${cut.join(', ')}]`;
    return textResult(parts.join('\n---\n'), more);
  },
});

/** As long as all that is shown beside a path and a text. */
const aroundPath = '\n---\n:\n\n';

interface FailedRead {
  readonly error: string;
}

const notRead: FailedRead = { error: 'Not read: the files before it are too long' };

async function readOne(call: ToolCall, path: string, limit: number): Promise<TextPart | FailedRead> {
  try {
    return await call.reach({ operation: 'read', path }, (location) =>
      readTextPart(location, { limit, signal: call.signal }),
    );
  } catch (error) {
    if (!RootwardError.is(error)) throw error;
    return { error: `${error.message}. ${error.hint}` };
  }
}
