import { expect, test } from 'vitest';
import { textOutput, textResult } from './answer.ts';

test('a text is the content and the structured content', () => {
  const result = textResult('hello');
  expect(result).toEqual({
    content: [{ type: 'text', text: 'hello' }],
    structuredContent: { content: 'hello' },
  });
  expect(textOutput.strict().parse(result.structuredContent)).toEqual({ content: 'hello' });
});

test('what is to be said about a text stands after it', () => {
  const { content, structuredContent } = textResult('hel', '[Cut]');
  expect(content.map((block) => block.type === 'text' && block.text)).toEqual(['hel', '[Cut]']);
  expect(structuredContent).toEqual({ content: 'hel', more: '[Cut]' });
});
