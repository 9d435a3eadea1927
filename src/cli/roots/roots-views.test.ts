import { expect, test } from 'vitest';
import { viewCommands } from './roots-views.ts';

test.each(Object.entries(viewCommands))(
  '%s tells in its help how to call it and what it answers to a program',
  (name, { fullDescription }) => {
    expect(fullDescription).toContain(`rootward roots ${name}`);
    expect(fullDescription).toMatch(/Exit codes: 0/);
  },
);
