import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { app } from './rootward-command.ts';

test('has the version of the package', () => {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  expect(app.config.versionInfo).toEqual({ currentVersion: version });
});
