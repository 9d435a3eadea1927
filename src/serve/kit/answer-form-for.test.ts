import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { connectKit } from '../../../test/support/peers/connect-kit.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { readTextFile } from '../../tools/files/read-text-file.ts';
import type { AnswerSettings } from './answer-form-for.ts';

/** A client, what the operator says, and the characters that an answer has at most. */
const cases: readonly (readonly [name: string, answers: AnswerSettings, most: number])[] = [
  ['claude-code', {}, 45_000],
  ['codex-mcp-client', {}, 12_000],
  ['codex-mcp-client (via mcp-remote 0.1.2)', {}, 12_000],
  ['never heard of', {}, 100_000],
  ['codex-mcp-client', { maxAnswer: 20_000 }, 20_000],
  ['never heard of', { maxAnswer: 5 }, 1_000],
  ['codex-mcp-client', { compat: true }, 150_010],
];

test.each(cases)('%s, told %o, reads at most %i characters at once', async (name, answers, most) => {
  using tree = tempTree(['app/']);
  writeFileSync(tree.at('app/long.txt'), 'ten chars\n'.repeat(15_001));
  await using kit = await connectKit({
    tools: [readTextFile],
    attach: { ceiling: [tree.at('app')] },
    answers,
    name,
  });
  const result = await kit.client.callTool({ name: 'read_text_file', arguments: { path: 'long.txt' } });
  const texts = (result.content as readonly { readonly text: string }[]).map(({ text }) => text);
  const { length } = texts.join('');
  expect(length).toBeLessThanOrEqual(most);
  expect(length).toBeGreaterThan(most * 0.85);
  const [, offset] = /call again with offset (\d+)/.exec(texts[1] ?? '') ?? [];
  expect(offset).toBe(most === 150_010 ? undefined : String(texts[0]?.length));
});
