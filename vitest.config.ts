import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    // `npm run attack` chooses a seed for each round; see test/support/race/seed.ts.
    setupFiles: process.env['ATTACK_SEED'] === undefined ? [] : ['test/support/race/seed-properties.ts'],
    globalSetup: ['test/support/processes/global-setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Real processes and real file trees: two workers suit the smallest machine we test on.
    maxWorkers: 2,
    sequence: { shuffle: { tests: true } },
    projects: [
      // No module has state of its own, so that its tests need no process of their own either.
      { extends: true, test: { name: 'rooms', include: ['src/**/*.test.ts'], isolate: false } },
      { extends: true, test: { name: 'whole', include: ['test/**/*.test.ts'] } },
    ],
  },
});

export default config;
