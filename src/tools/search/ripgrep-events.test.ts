import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { type FileHint, ripgrepHints } from './ripgrep-events.ts';

const path = { text: './src/ä.ts' };
const events = [
  { type: 'begin', data: { path } },
  {
    type: 'context',
    data: { path, lines: { text: 'before\n' }, line_number: 1, absolute_offset: 0, submatches: [] },
  },
  {
    type: 'match',
    data: {
      path,
      lines: { bytes: Buffer.from('ca\xe9\n', 'latin1').toString('base64') },
      line_number: 2,
      absolute_offset: 7,
      submatches: [{ match: { text: 'a' }, start: 1, end: 2 }],
    },
  },
  { type: 'end', data: { path, binary_offset: null, stats: {} } },
  { type: 'begin', data: { path: { bytes: '/w==' } } },
  { type: 'end', data: { path: { bytes: '/w==' } } },
  { type: 'summary', data: {} },
];

async function read(chunks: readonly Uint8Array[]): Promise<readonly FileHint[]> {
  const hints: FileHint[] = [];
  for await (const hint of ripgrepHints(Readable.from(chunks))) hints.push(hint);
  return hints;
}

test('reads what is said about each file, however it is cut into parts', async () => {
  const bytes = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const expected: readonly FileHint[] = [
    {
      path: 'src/ä.ts',
      lines: [
        { line: 1, bytes: Buffer.from('before\n'), offset: 0 },
        { line: 2, bytes: Buffer.from('ca\xe9\n', 'latin1'), offset: 7, start: 1 },
      ],
    },
  ];
  expect(await read([bytes])).toEqual(expected);
  expect(
    await read(Array.from(bytes, (byte) => Uint8Array.of(byte)).map((part) => Buffer.from(part))),
  ).toEqual(expected);
});

test('nothing said is nothing found', async () => {
  expect(await read([])).toEqual([]);
});
