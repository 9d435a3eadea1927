import { expect, test } from 'vitest';
import { titleFor } from './app.tsx';

test('the title shows the number of waiting questions', () => {
  const asking = { questions: [{}, {}] as never };
  expect(titleFor('Roots', [])).toBe('Roots · Rootward');
  expect(titleFor('Audit', [asking, { questions: [] }, asking])).toBe('(4) Audit · Rootward');
});
