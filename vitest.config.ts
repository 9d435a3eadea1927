import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Real processes and real file trees: two workers suit the smallest machine we test on.
    maxWorkers: 2,
    sequence: { shuffle: { tests: true } },
  },
});

export default config;
