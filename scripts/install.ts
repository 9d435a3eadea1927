import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where tools are kept that are too large, or too new, for the dependencies of the package. */
const prefix = resolve('.nodes');
const systems: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin', win32: 'win' };

/** The program of another version of Node, which npm ships as a package. */
export function installNode(version: string): string {
  const system = systems[process.platform];
  if (system === undefined) throw new Error(`npm ships no Node for ${process.platform}`);
  const spec = `npm:node-${system}-${process.arch}@${version}`;
  const directory = install(`node${version}`, spec);
  return join(directory, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** The directory of a package, under a name of ours. */
export function install(alias: string, spec: string): string {
  const directory = join(prefix, 'node_modules', alias);
  if (existsSync(directory)) return directory;
  mkdirSync(prefix, { recursive: true });
  if (!existsSync(join(prefix, 'package.json')))
    writeFileSync(join(prefix, 'package.json'), '{ "private": true }\n');
  const options = ['--prefix', prefix, '--save-exact', '--no-audit', '--no-fund', '--engine-strict=false'];
  run('npm', ['install', ...options, `${alias}@${spec}`]);
  return directory;
}

/** What a program printed. */
export function run(command: string, argv: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr } = spawnSync(command, argv, {
    encoding: 'utf8',
    env,
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (status !== 0) throw new Error(`${command} ${argv.join(' ')} failed:\n${stderr}`);
  return stdout;
}
