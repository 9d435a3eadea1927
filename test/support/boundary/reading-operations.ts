import {
  createReadStream,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Boundary } from '../../../src/boundary/boundary.ts';
import { type EntryKind, type FileInfo, kindOf } from '../../../src/boundary/system/file-info.ts';
import { type BoundaryOperation, follows } from './boundary-operation.ts';

export const readingOperations: readonly BoundaryOperation[] = [
  {
    name: 'stat',
    reaches: ['file', 'directory'],
    effect: 'reads',
    link: follows,
    run: async (boundary, path) => describeInfo(await boundary.stat(path)),
    plain: (path) => describeStats(statSync(path)),
  },
  {
    name: 'lstat',
    reaches: ['file', 'directory'],
    effect: 'reads',
    link: { ...follows, named: 'itself', plainNamed: false },
    linkAfterwards: ({ root }, path) => `${root}/${path}`,
    run: async (boundary, path) => describeInfo(await boundary.lstat(path)),
    plain: (path) => describeStats(lstatSync(path)),
  },
  {
    name: 'probe',
    reaches: ['file', 'directory'],
    effect: 'reads',
    link: follows,
    run: async (boundary, path) => {
      const { relative: name, kind } = await boundary.probe('read', path);
      return `${kind} ${name}`;
    },
    plain: (path, { root }) => `${kindOf(statSync(path))} ${relative(root, realpathSync.native(path))}`,
  },
  {
    name: 'open',
    reaches: ['file'],
    effect: 'reads',
    link: follows,
    run: async (boundary, path) => {
      await using reader = await boundary.open(path);
      return (await reader.read(0, 1_000)).toString('hex');
    },
    plain: (path) => readFileSync(path).toString('hex'),
  },
  {
    name: 'readText',
    reaches: ['file'],
    effect: 'reads',
    link: follows,
    run: (boundary, path) => boundary.readText(path),
    plain: (path) => readFileSync(path, 'utf8'),
  },
  {
    name: 'readText of the last lines',
    reaches: ['file'],
    effect: 'reads',
    link: follows,
    run: (boundary, path) => boundary.readText(path, { tail: 10 }),
    plain: (path) => readFileSync(path, 'utf8'),
  },
  {
    name: 'readBytes',
    reaches: ['file'],
    effect: 'reads',
    link: follows,
    run: async (boundary, path) => (await boundary.readBytes(path)).toString('hex'),
    plain: (path) => readFileSync(path).toString('hex'),
  },
  {
    name: 'readStream',
    reaches: ['file'],
    effect: 'reads',
    link: follows,
    run: async (boundary, path) => text(await boundary.readStream(path)),
    plain: (path) => text(createReadStream(path)),
  },
  {
    name: 'list',
    reaches: ['directory'],
    effect: 'reads',
    link: follows,
    run: async (boundary, path) => (await boundary.list(path)).entries.map(describeEntry).toSorted(),
    plain: (path) =>
      readdirSync(path, { withFileTypes: true })
        .map((entry) => describeEntry({ name: entry.name, kind: kindOf(entry) }))
        .toSorted(),
  },
  {
    name: 'walk',
    reaches: ['directory'],
    effect: 'reads',
    link: follows,
    run: walkAll,
    plain: (path, { root }) => walkPlain(path, relative(root, realpathSync.native(path))).toSorted(),
  },
  {
    // Reaching shows in the file that is put there to be noticed.
    name: 'watch',
    reaches: ['directory'],
    effect: 'changes',
    link: follows,
    run: watchOne,
    plain: watchOnePlain,
  },
];

function describeInfo({ kind, size, mode }: FileInfo): string {
  return describe(kind, size, mode);
}

function describeStats(stats: Stats): string {
  return describe(kindOf(stats), stats.size, stats.mode & 0o7777);
}

/** How large a directory is, is a matter of the file system and of its past. */
function describe(kind: EntryKind, size: number, mode: number): string {
  return `${kind} ${mode.toString(8)} ${kind === 'directory' ? '-' : size}`;
}

function describeEntry({ name, kind }: { readonly name: string; readonly kind: EntryKind }): string {
  return `${kind} ${name}`;
}

async function walkAll(boundary: Boundary, path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const entry of boundary.walk(path)) {
    found.push(describeEntry({ name: entry.path, kind: entry.kind }));
  }
  return found.toSorted();
}

/** Node's own recursive `readdir` joins names, and so loses what `..` means after a link. */
function walkPlain(path: string, name: string): readonly string[] {
  const found: string[] = [];
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const below = join(name, entry.name);
    found.push(describeEntry({ name: below, kind: kindOf(entry) }));
    if (entry.isDirectory()) found.push(...walkPlain(`${path}/${entry.name}`, below));
  }
  return found;
}

async function watchOne(boundary: Boundary, path: string): Promise<string> {
  const events = boundary.watch(path);
  await boundary.write(`${path}/noticed`, '');
  for await (const event of events) if (event.path.endsWith('noticed')) return 'noticed';
  return 'nothing';
}

async function watchOnePlain(path: string): Promise<string> {
  const watcher = watch(path);
  try {
    writeFileSync(`${path}/noticed`, '');
    await new Promise((resolve, reject) => {
      watcher.once('change', resolve);
      watcher.once('error', reject);
    });
    return 'noticed';
  } finally {
    watcher.close();
  }
}
