import { expect, test } from 'vitest';
import { findCommands } from '../../../test/support/trees/find-commands.ts';
import { ecosystems } from './all-ecosystems.ts';

test('every ecosystem and every build system has a name of its own', () => {
  const names = ecosystems.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const systems = ecosystems.flatMap(({ build }) => build?.name ?? []);
  expect(new Set(systems).size).toBe(systems.length);
});

test('no build system finds commands in an empty directory', async () => {
  for (const ecosystem of ecosystems) expect(await findCommands(ecosystem, {})).toEqual([]);
});

test('an extension belongs to one language', () => {
  const extensions = ecosystems.flatMap(({ languages = {} }) =>
    Object.values(languages).flatMap((each) => each.split(' ')),
  );
  expect(new Set(extensions).size).toBe(extensions.length);
  expect(extensions.filter((extension) => !/^[a-z\d+]+$/.test(extension))).toEqual([]);
});
