import { expect, test } from 'vitest';
import { chatApplications } from './chat-applications.ts';

test('rows are in the shape of facts: a date each, and a name or the reason why none is known', () => {
  for (const { id, title, asOf, match, evidence = [] } of chatApplications) {
    expect([id, title, asOf].every((text) => text !== '')).toBe(true);
    expect(match.length > 0 || evidence.length > 0 || id === 'jetbrains-ai').toBe(true);
  }
});
