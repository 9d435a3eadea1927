import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { build } from 'vite';
import { program } from './program.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** Where the page is built for the tests: beside the compiled server, as in the package. */
export const builtPage: string = join(repository, '.build/src/web/page');

/** The server of a test, in one file with its SDK: it starts in half the time. */
export const builtPeer: string = join(repository, '.build/peer/stdio-server.js');

/**
 * Builds what tests start as processes, side by side and only if something is newer than the last build: the modules
 * in `.build/`, because Node 20 runs no TypeScript, the command as one program, a server with each SDK, and the page.
 * Types are checked by another step of the gate.
 */
export async function buildOnce(): Promise<void> {
  await Promise.all([compile(), buildPage(), buildCommand(), buildPeer()]);
}

async function compile(): Promise<void> {
  const options = ['--noCheck', '--incremental', '--tsBuildInfoFile', '.build/tests.tsbuildinfo'];
  await run('node_modules/typescript/bin/tsc', ['-p', 'tsconfig.tools.json', ...options]);
}

async function buildPage(): Promise<void> {
  const sources = ['src/web/page', 'src/web/wire/wire.ts', 'src/base/quote.ts', 'web.vite.config.ts'];
  if (!isStale(join(builtPage, 'index.html'), sources)) return;
  await run('node_modules/vite/bin/vite.js', ['build', '-c', 'web.vite.config.ts', '--outDir', builtPage]);
}

async function buildCommand(): Promise<void> {
  if (!isStale(program, ['src', 'bundle.config.ts', 'package.json', 'package-lock.json'])) return;
  const target = ['--outDir', dirname(program)];
  await run('node_modules/vite/bin/vite.js', ['build', '-c', 'bundle.config.ts', ...target]);
}

async function buildPeer(): Promise<void> {
  const fixtures = 'test/support/peers/fixtures';
  if (!isStale(builtPeer, ['src', 'test/support/peers', 'package-lock.json'])) return;
  await build({
    root: repository,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['@vscode/ripgrep', 'fs-native-extensions', 'watchpack'] },
    build: { ssr: `${fixtures}/stdio-server.ts`, outDir: dirname(builtPeer), target: 'node20' },
  });
}

async function run(script: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [join(repository, script), ...args], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
    // What is tested is what is shipped.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [[code], ...said] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new Error(`Cannot build for the tests with ${script}:\n${said.join('')}`);
}

function isStale(built: string, sources: readonly string[]): boolean {
  return newest(built) <= Math.max(...sources.map((name) => newest(join(repository, name))));
}

/** When the newest file of a tree was changed; 0 if there is none. */
function newest(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}
