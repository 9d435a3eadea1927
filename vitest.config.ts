import { availableParallelism } from 'node:os';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What measures its own process: its memory, its descriptors, its objects. */
const alone = [
  'test/attack/limits/{bombs,descriptors}.test.ts',
  'test/attack/race/close.test.ts',
  'test/e2e/nodes/endpoints.test.ts',
];

/** The tests of rooms come last: they are short, so that all workers end at about the same time. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line no-array-sort -- It is the method of the sequencer, which changes nothing.
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/test/');
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const config: ViteUserConfig = defineConfig({
  test: {
    setupFiles: [
      'test/support/trees/place-trees.ts',
      // `npm run attack` chooses a seed for each round; see test/support/race/seed.ts.
      ...(process.env['ATTACK_SEED'] === undefined ? [] : ['test/support/race/seed-properties.ts']),
    ],
    globalSetup: ['test/support/processes/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A second, the default, is little on a machine with other work; what comes earlier is not waited for.
    expect: { poll: { timeout: 20_000 } },
    // Most tests wait for processes: with one worker more than it has cores, the smallest machine is busy.
    maxWorkers: Math.max(3, availableParallelism()),
    sequence: { shuffle: { tests: true }, sequencer: LongFirst },
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      // No module has state of its own, so that tests need no process of their own either; modules are loaded once.
      {
        extends: true,
        test: { name: 'together', include: ['{src,test}/**/*.test.ts'], exclude: alone, isolate: false },
      },
    ],
  },
});

export default config;
