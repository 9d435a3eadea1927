import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installPrograms } from './system-programs.ts';
import { buildPage } from '../browser/build-page.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Installs the system programs that tests need, where it can, and compiles the source to `.build/` once, so that tests can start real processes: Node 20 runs no TypeScript.
 * Without a check of types, which is another step of the gate, and only what has changed.
 */
export function setup(): void {
  installPrograms();
  buildPage();
  const options = ['--noCheck', '--incremental', '--tsBuildInfoFile', '.build/tests.tsbuildinfo'];
  const compiler = 'node_modules/typescript/bin/tsc';
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [compiler, '-p', 'tsconfig.tools.json', ...options],
    { cwd: repository, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`Cannot compile the source for the tests:\n${stdout}${stderr}`);
}
