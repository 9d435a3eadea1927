import { availableParallelism } from 'node:os';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const shared = ['test/e2e/{web,serve,roots,examples}/**/*.test.ts'];

const config: ViteUserConfig = defineConfig({
  test: {
    // `npm run attack` chooses a seed for each round; see test/support/race/seed.ts.
    setupFiles: process.env['ATTACK_SEED'] === undefined ? [] : ['test/support/race/seed-properties.ts'],
    globalSetup: ['test/support/processes/global-setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Most tests wait for processes: with one worker more than it has cores, the smallest machine is busy.
    maxWorkers: Math.max(3, availableParallelism()),
    sequence: { shuffle: { tests: true } },
    projects: [
      // No module has state of its own, so that its tests need no process of their own either.
      { extends: true, test: { name: 'rooms', include: ['src/**/*.test.ts'], isolate: false } },
      // What these look at is in processes that they start; what they import is loaded once per worker.
      { extends: true, test: { name: 'e2e', include: shared, isolate: false, testTimeout: 60_000 } },
      {
        extends: true,
        test: { name: 'whole', include: ['test/**/*.test.ts'], exclude: shared, testTimeout: 60_000 },
      },
    ],
  },
});

export default config;
