import { describe, expect, test } from 'vitest';
import { mostFiles, type WalkName, walks } from '../../scripts/walks.ts';

/** On other systems the boundary steps through names in another file. */
describe.runIf(process.platform === 'linux')('reading a file', () => {
  test.each(Object.entries(mostFiles) as [WalkName, number][])(
    'over %s crosses at most %i sources, and the sentence is one of them',
    async (name, most) => {
      const { files } = await walks[name]();
      const names = files.map(({ file }) => file);
      expect(names).toContain('src/access.ts');
      expect(names.slice(most)).toEqual([]);
    },
  );
});
