import { z } from 'zod';
import type { FileInfo } from '../../boundary/system/file-info.ts';
import { pathText } from '../tool/answer-limits.ts';
import { textOutput, textResult } from '../tool/answer.ts';
import { defineTool, type Tool } from '../tool/tool.ts';

export const getFileInfo: Tool = defineTool({
  name: 'get_file_info',
  title: 'Get file info',
  description:
    'Shows the size, times of creation, change and last access, kind and permissions of a file or directory, ' +
    'without reading it.',
  operations: ['list'],
  effect: 'read',
  isBrief: true,
  input: z.object({ path: pathText.describe('Absolute, relative to the project, or a file URI') }),
  output: textOutput,
  async run({ path }, call) {
    const info = await call.reach({ operation: 'list', path }, ({ boundary, relative }) =>
      boundary.stat(relative),
    );
    return textResult(
      fieldsOf(info)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    );
  },
});

function fieldsOf({
  size,
  created,
  modified,
  accessed,
  kind,
  mode,
}: FileInfo): readonly (readonly [name: string, value: string])[] {
  return [
    ['size', String(size)],
    ['created', String(created)],
    ['modified', String(modified)],
    ['accessed', String(accessed)],
    ['isDirectory', String(kind === 'directory')],
    ['isFile', String(kind === 'file')],
    ['permissions', mode.toString(8).padStart(3, '0').slice(-3)],
  ];
}
