import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fdir } from 'fdir';
import { openBoundary } from '../src/boundary/open-boundary.ts';
import { findProjects } from '../src/workspace/project/find-projects.ts';
import { prunedDirectories } from '../src/workspace/project/pruned-directories.ts';
import type { Measurement, Suite } from './suite.ts';
import { timePair } from './time-pair.ts';

/** What does it cost to recognise, name and relate the projects of a tree, beside merely walking it? */
export const findSuite: Suite = {
  name: 'find',
  async run() {
    const top = mkdtempSync(join(tmpdir(), 'rootward-bench-'));
    try {
      plant(top);
      // What was written has to reach the disk, and the first one measured would pay for it.
      execFileSync('sync');
      return [
        await against(top, {
          against: 'fdir, unchecked, pruned alike',
          peer: async () => (await crawler().crawl(top).withPromise()).length,
          factor: 2,
        }),
        await against(top, {
          against: 'the walk of a boundary, pruned alike',
          peer: () => countFiles(top),
          factor: 2,
        }),
      ];
    } finally {
      rmSync(top, { recursive: true });
    }
  },
};

const repositories = 100;
const packages = 3;
/** Of one repository: 2,000 files, 80 of them in a directory that is pruned. */
const parts = 192;
const filesPerPart = 10;
const pruned = 80;

/** Repositories with three packages each, with sources, dependencies and rules on what to ignore. */
function plant(top: string): void {
  for (let index = 0; index < repositories; index += 1) {
    const repository = join(top, `group-${index % 10}`, `repository-${index}`);
    mkdirSync(join(repository, '.git'), { recursive: true });
    writeFileSync(join(repository, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(repository, '.gitignore'), '*.log\n/coverage/\n');
    writeFileSync(
      join(repository, 'package.json'),
      `{ "name": "app-${index}", "workspaces": ["packages/*"] }`,
    );
    for (let part = 0; part < parts; part += 1) plantPart(repository, part);
    plantFiles(join(repository, 'node_modules', 'dependency'), pruned);
  }
}

function plantPart(repository: string, part: number): void {
  const name = `package-${part % packages}`;
  const directory = join(repository, 'packages', name);
  plantFiles(join(directory, 'src', `area-${part % 12}`, `part-${part}`), filesPerPart);
  if (part < packages) writeFileSync(join(directory, 'package.json'), `{ "name": "${name}" }`);
}

function plantFiles(directory: string, count: number): void {
  mkdirSync(directory, { recursive: true });
  for (let index = 0; index < count; index += 1) {
    closeSync(openSync(join(directory, `file-${index}.ts`), 'w'));
  }
}

interface Contest {
  readonly against: string;
  /** How many files it saw. */
  readonly peer: () => Promise<number>;
  readonly factor: number;
}

async function against(top: string, { against: name, peer, factor }: Contest): Promise<Measurement> {
  const times = await timePair(
    repeat(() => countProjects(top), repositories * (1 + packages)),
    repeat(peer, repositories * (parts * filesPerPart + 2 + packages)),
    { rounds: 7, milliseconds: 700 },
  );
  return {
    name: 'find 400 projects, 200,000 files',
    against: name,
    ...times,
    target: { kind: 'within', factor },
  };
}

async function countProjects(top: string): Promise<number> {
  let [members, others] = [0, 0];
  for await (const { member } of findProjects(top)) {
    if (member) members += 1;
    else others += 1;
  }
  return members === packages * others ? members + others : 0;
}

const isPruned: ReadonlySet<string> = new Set(prunedDirectories);

function crawler(): ReturnType<fdir['withFullPaths']> {
  return new fdir().withFullPaths().exclude((name) => isPruned.has(name));
}

async function countFiles(top: string): Promise<number> {
  await using boundary = await openBoundary(top);
  let files = 0;
  const choose = (name: string): 'skip' | 'enter' => (isPruned.has(name) ? 'skip' : 'enter');
  for await (const batch of boundary.walk('.', { choose }).batches()) {
    for (const { kind } of batch) if (kind === 'file') files += 1;
  }
  return files;
}

function repeat(run: () => Promise<number>, expected: number): (count: number) => Promise<void> {
  return async (count) => {
    for (let index = 0; index < count; index += 1) {
      const result = await run();
      if (result !== expected)
        throw new Error(`${result} instead of ${expected}: the measurement means nothing`);
    }
  };
}
