import { fieldsOf, isFields } from '../../base/fields.ts';
import { fieldAt } from './manifest/parsed.ts';
import {
  type BuildCommand,
  type BuildDirectory,
  firstOf,
  nearest,
  quoteWord,
  taskOf,
  valueOf,
} from './record/build-system.ts';
import { declare, type MemberRule, texts } from './record/declaration.ts';
import type { Ecosystem, MarkerRow } from './record/ecosystem.ts';

/** Node and Bun, with npm, pnpm and Yarn. */
export const node: Ecosystem = {
  name: 'node',
  markers: [
    {
      file: 'package.json',
      name: { format: 'json', at: [['name']] },
      members: declare('json', readNodeMembers),
      facts: {
        format: 'json',
        version: [['version']],
        description: [['description']],
        license: [['license']],
        requires: { node: ['engines', 'node'], npm: ['engines', 'npm'], bun: ['engines', 'bun'] },
        entryPoints: [['bin'], ['exports'], ['main'], ['module'], ['types'], ['browser']],
        scripts: [['scripts']],
      },
    },
    { file: 'pnpm-workspace.yaml', members: declare('yaml', readPnpmMembers) },
  ],
  build: { name: 'node', title: 'npm, pnpm, Yarn, Bun', find: findNodeCommands },
  languages: { JavaScript: 'js mjs cjs jsx', TypeScript: 'ts mts cts tsx' },
  pruned: [
    'bower_components',
    'jspm_packages',
    'node_modules',
    '.next',
    '.nuxt',
    '.output',
    '.svelte-kit',
    '.angular',
    '.parcel-cache',
    '.pnpm-store',
    '.turbo',
    '.yarn',
    '.bun',
    '.npm',
    '.nvm',
  ],
};

/** One manifest under two names. */
const denoManifest: Omit<MarkerRow, 'file'> = {
  name: { format: 'json', at: [['name']] },
  members: declare('json', readDenoMembers),
  facts: { format: 'json', version: [['version']], entryPoints: [['exports']], scripts: [['tasks']] },
};

export const deno: Ecosystem = {
  name: 'deno',
  markers: [
    { file: 'deno.json', ...denoManifest },
    { file: 'deno.jsonc', ...denoManifest },
  ],
  build: { name: 'deno', title: 'Deno', find: findDenoCommands },
  entryPoints: ['main.ts'],
  pruned: ['.deno'],
};

interface Manager {
  readonly name: string;
  readonly locks: readonly string[];
  readonly install: string;
  /** The command line up to the name of the script. */
  readonly run: string;
}

/** By lock file; the first that exists counts. */
const managers: readonly Manager[] = [
  {
    name: 'pnpm',
    locks: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'],
    install: 'pnpm install',
    run: 'pnpm run',
  },
  { name: 'yarn', locks: ['yarn.lock', '.yarnrc.yml'], install: 'yarn install', run: 'yarn run' },
  { name: 'bun', locks: ['bun.lock', 'bun.lockb'], install: 'bun install', run: 'bun run' },
  { name: 'npm', locks: ['package-lock.json', 'npm-shrinkwrap.json'], install: 'npm ci', run: 'npm run' },
];

const withoutLock: Manager = { name: 'npm', locks: [], install: 'npm install', run: 'npm run' };

/** Finds the scripts of a package.json, with the package manager of its lock file. */
async function findNodeCommands(directory: BuildDirectory): Promise<readonly BuildCommand[]> {
  const manifest = await valueOf(directory, 'package.json', 'json');
  if (!isFields(manifest)) return [];
  const { manager, why, file } = managerOf(directory, manifest);
  const install: BuildCommand = { task: 'install', command: manager.install, file, why };
  const scripts = fieldAt(manifest, ['scripts']);
  const named = Object.entries(fieldsOf(scripts));
  return [install, ...named.flatMap(([name, script]) => commandOf(manager, name, script))];
}

interface Choice {
  readonly manager: Manager;
  readonly file: string;
  readonly why: string;
}

/** Chooses by the manifest first, then by lock files here, then by those further up. */
function managerOf({ names, above }: BuildDirectory, manifest: unknown): Choice {
  const declared = fieldAt(manifest, ['packageManager']);
  const named = managers.find(
    ({ name }) => typeof declared === 'string' && declared.split('@', 1)[0] === name,
  );
  const isLocked = named?.locks.some((lock) => nearest({ names, above }, lock) !== undefined);
  // `npm ci` needs a lock file.
  const manager = named?.name === 'npm' && isLocked !== true ? withoutLock : named;
  if (manager !== undefined)
    return { manager, file: 'package.json', why: `packageManager is ${manager.name}` };
  for (const [level, there] of [names, ...above].entries()) {
    for (const each of managers) {
      const lock = each.locks.find((name) => there.includes(name));
      if (lock === undefined) continue;
      const file = `${'../'.repeat(level)}${lock}`;
      return { manager: each, file, why: `${lock} belongs to ${each.name}` };
    }
  }
  return { manager: withoutLock, file: 'package.json', why: 'there is no lock file, so npm' };
}

function commandOf({ name: manager, run }: Manager, name: string, script: unknown): readonly BuildCommand[] {
  if (typeof script !== 'string' || script.trim() === '') return [];
  const word = quoteWord(name);
  // Scripts that run before and after others are not called directly.
  if (/^(?:pre|post)(?!view)/.test(name) && taskOf(name) === 'other') return [];
  const isShort = (name === 'test' || name === 'start') && manager !== 'bun';
  const command = isShort ? `${manager} ${word}` : `${run} ${word}`;
  const why = `script ${word}: ${script.slice(0, 160)}`;
  return [{ task: taskOf(name), command, file: 'package.json', why }];
}

/** Finds the tasks of a deno.json, and Deno's own commands. */
async function findDenoCommands(directory: BuildDirectory): Promise<readonly BuildCommand[]> {
  const file = firstOf(directory, ['deno.json', 'deno.jsonc']);
  if (file === undefined) return [];
  const tasks = fieldAt(await valueOf(directory, file, 'json'), ['tasks']);
  const own = Object.entries(fieldsOf(tasks));
  const commands = own.flatMap(([name, task]) => denoCommandOf(file, name, task));
  const has = (task: BuildCommand['task']): boolean => commands.some((command) => command.task === task);
  const defaults: readonly BuildCommand[] = [
    { task: 'test', command: 'deno test', file, why: 'Deno finds tests by itself' },
    { task: 'lint', command: 'deno lint', file, why: 'Deno has a linter' },
    { task: 'format', command: 'deno fmt', file, why: 'Deno has a formatter' },
  ];
  return [...commands, ...defaults.filter(({ task }) => !has(task))];
}

function denoCommandOf(file: string, name: string, task: unknown): readonly BuildCommand[] {
  const text = typeof task === 'string' ? task : fieldAt(task, ['command']);
  if (typeof text !== 'string') return [];
  const word = quoteWord(name);
  return [
    { task: taskOf(name), command: `deno task ${word}`, file, why: `task ${word}: ${text.slice(0, 160)}` },
  ];
}

/** Reads `workspaces` of a package.json like npm, Yarn and Bun: a list, or an object with `packages`. */
export function readNodeMembers(manifest: unknown): readonly MemberRule[] {
  const workspaces = fieldAt(manifest, ['workspaces']);
  return texts(fieldAt(workspaces, ['packages']) ?? workspaces).map(toRule);
}

/** Reads `packages` of a pnpm-workspace.yaml, in which exceptions apply regardless of their position. */
export function readPnpmMembers(manifest: unknown): readonly MemberRule[] {
  const rules = texts(fieldAt(manifest, ['packages'])).map(toRule);
  return rules.toSorted((one, other) => Number(one.except) - Number(other.except));
}

/** Reads `workspace` of a deno.json: a list, or an object with `members`. */
export function readDenoMembers(manifest: unknown): readonly MemberRule[] {
  const workspace = fieldAt(manifest, ['workspace']);
  return texts(fieldAt(workspace, ['members']) ?? workspace).map(toRule);
}

function toRule(text: string): MemberRule {
  return text.startsWith('!') ? { pattern: text.slice(1), except: true } : { pattern: text, except: false };
}
