/**
 * Runs the suite on other versions of Node. npm ships them as packages, so nothing has to be installed by
 * hand: `npm run test:nodes` for all, `npm run test:nodes -- 22` for one.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { installNode, run } from './install.ts';

const versions = ['22', '24'];

const asked = process.argv.slice(2);
const failed = (asked.length > 0 ? asked : versions).filter((version) => !runSuite(version));
if (failed.length > 0) console.error(`The suite failed on Node ${failed.join(' and ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;

function runSuite(version: string): boolean {
  const node = installNode(version);
  console.log(`\nNode ${run(node, ['--version']).trim()}`);
  const vitest = resolve('node_modules/vitest/vitest.mjs');
  return spawnSync(node, [vitest, 'run'], { stdio: 'inherit' }).status === 0;
}
