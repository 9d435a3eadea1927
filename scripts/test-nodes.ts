/**
 * Runs the suite on other versions of Node. npm ships them as packages, so nothing has to be installed by
 * hand: `npm run test:nodes` for all, `npm run test:nodes -- 22` for one.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const versions = ['22', '24'];
const prefix = resolve('.nodes');
const systems: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin', win32: 'win' };

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

function installNode(version: string): string {
  const alias = `node${version}`;
  const node = join(prefix, 'node_modules', alias, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(node)) return node;
  const system = systems[process.platform];
  if (system === undefined) throw new Error(`npm ships no Node for ${process.platform}`);
  mkdirSync(prefix, { recursive: true });
  writeFileSync(join(prefix, 'package.json'), '{ "private": true }\n');
  const spec = `${alias}@npm:node-${system}-${process.arch}@${version}`;
  run('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--engine-strict=false', spec]);
  return node;
}

function run(command: string, argv: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, argv, {
    encoding: 'utf8',
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (status !== 0) throw new Error(`${command} ${argv.join(' ')} failed:\n${stderr}`);
  return stdout;
}
