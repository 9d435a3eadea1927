import { expect, test } from 'vitest';
import { developerTools } from './developer-tools.ts';

test('rows are in the shape of facts: a date each, and a name or the reason why none is known', () => {
  for (const { id, title, asOf, match, evidence = [] } of developerTools) {
    expect([id, title, asOf].every((text) => text !== '')).toBe(true);
    expect(match.length > 0 || evidence.length > 0 || id === 'jetbrains-ai').toBe(true);
  }
});
