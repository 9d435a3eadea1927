import { expect, test } from 'vitest';
import * as languages from './plain-languages.ts';

test.each(Object.values(languages))('$name has manifests and languages, and nothing to run', (ecosystem) => {
  expect(ecosystem.markers.map(({ kind, weak }) => kind ?? weak)).toEqual(
    ecosystem.markers.map(() => undefined),
  );
  expect(Object.keys(ecosystem.languages ?? {})).not.toEqual([]);
  expect(ecosystem.build).toBeUndefined();
});
