import { expect, test } from 'vitest';
import { changeCommands } from './roots-changes.ts';

test.each(Object.entries(changeCommands))(
  '%s tells in its help how to call it and what it answers to a program',
  (name, { fullDescription }) => {
    expect(fullDescription).toContain(`rootward roots ${name}`);
    expect(fullDescription).toMatch(/Exit codes: 0/);
  },
);
