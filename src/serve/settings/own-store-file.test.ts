import { isAbsolute } from 'node:path';
import { expect, test } from 'vitest';
import { ownStoreFile, storeContextOf } from './own-store-file.ts';

const quiet = { write: () => undefined };

test('is in the config directory of the user, or in ROOTWARD_HOME', () => {
  const at = (env: Record<string, string>): string =>
    ownStoreFile({ process: { stdout: quiet, stderr: quiet, env }, cwd: '/' });
  expect(at({ ROOTWARD_HOME: '/srv/own' })).toBe('/srv/own/roots.jsonc');
  expect(isAbsolute(at({}))).toBe(true);
  expect(() => at({ ROOTWARD_HOME: 'own' })).toThrow(expect.objectContaining({ code: 'INVALID_PATH' }));
});

test('is read by the rules of this machine', () => {
  expect(storeContextOf('/srv/roots.jsonc')).toMatchObject({ file: '/srv/roots.jsonc', platform: 'posix' });
});
