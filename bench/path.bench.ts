import { isPathWithinAllowedDirectories } from '@modelcontextprotocol/server-filesystem/dist/path-validation.js';
import { createRootIndex } from '../src/path/root-index.ts';
import type { Measurement, Suite } from './suite.ts';
import { type Contestant, timePair } from './time-pair.ts';

/** How much does it cost to ask whether a path lies in the roots? */
export const pathSuite: Suite = {
  name: 'path',
  async run() {
    return [await againstReference(), await manyRoots()];
  },
};

async function againstReference(): Promise<Measurement> {
  const root = '/home/someone/projects/app';
  const paths = insideAndOutside([root]);
  const index = createRootIndex([[root, root]], { platform: 'posix' });
  const times = await timePair(
    ask(paths, (path) => index.place(path) !== undefined),
    ask(paths, (path) => isPathWithinAllowedDirectories(path, [root])),
  );
  return {
    name: 'containment, 1 root',
    against: 'isPathWithinAllowedDirectories of server-filesystem',
    ...times,
    target: { kind: 'faster', factor: 5 },
  };
}

async function manyRoots(): Promise<Measurement> {
  const roots = Array.from(
    { length: 100_000 },
    (_, index) => `/home/someone/group-${index % 317}/app-${index}`,
  );
  const few = roots.slice(0, 1);
  const many = createRootIndex(
    roots.map((root) => [root, root] as const),
    { platform: 'posix' },
  );
  const one = createRootIndex(
    few.map((root) => [root, root] as const),
    { platform: 'posix' },
  );
  const times = await timePair(
    ask(insideAndOutside(roots), (path) => many.place(path) !== undefined),
    ask(insideAndOutside(few), (path) => one.place(path) !== undefined),
  );
  return {
    name: 'containment, 100,000 roots',
    against: 'the same with 1 root',
    ...times,
    target: { kind: 'within', factor: 2 },
  };
}

/** A thousand paths, three of four inside one of the roots, spread over all of them. */
function insideAndOutside(roots: readonly string[]): readonly string[] {
  return Array.from({ length: 1_000 }, (_, index) => {
    const root = roots[(index * 7_919) % roots.length] ?? '';
    return index % 4 === 0 ? `${root}-old/src/index.ts` : `${root}/packages/core/src/module-${index}.ts`;
  });
}

function ask(paths: readonly string[], contains: (path: string) => boolean): Contestant {
  return (count) => {
    let inside = 0;
    for (let index = 0; index < count; index += 1) {
      if (contains(paths[index % paths.length] ?? '')) inside += 1;
    }
    if (count >= 1_000 && inside === 0) throw new Error('nothing was inside: the measurement is wrong');
  };
}
