import { constants, copyFileSync, readFileSync, renameSync } from 'node:fs';
import type { Boundary } from '../../../src/boundary/boundary.ts';
import { actsOnLink, type BoundaryOperation, follows, followsAlone } from './boundary-operation.ts';

/** Operations with two paths: the one that is tried, and `spare` or a new name at the harmless end. */
export const movingOperations: readonly BoundaryOperation[] = [
  {
    name: 'rename from',
    reaches: ['file', 'directory'],
    effect: 'changes',
    link: actsOnLink,
    linkAfterwards: ({ root }) => `${root}/renamed`,
    run: (boundary, path) => boundary.rename(path, 'renamed'),
    plain: (path, { root }) => renameSync(path, `${root}/renamed`),
  },
  {
    name: 'rename to',
    reaches: ['new'],
    effect: 'changes',
    link: { ...actsOnLink, named: 'ALREADY_EXISTS' },
    run: (boundary, path) => boundary.rename('spare', path),
    plain: (path, { root }) => renameSync(`${root}/spare`, path),
  },
  {
    name: 'rename to, replacing',
    reaches: ['file', 'new'],
    effect: 'changes',
    link: actsOnLink,
    linkAfterwards: () => undefined,
    run: (boundary, path) => boundary.rename('spare', path, { replace: true }),
    plain: (path, { root }) => renameSync(`${root}/spare`, path),
  },
  {
    name: 'copy from',
    reaches: ['file'],
    effect: 'reads',
    link: follows,
    run: (boundary, path) => copyAndRead(boundary, path, boundary),
    plain: (path, { root }) => copyAndReadPlain(path, `${root}/copied`),
  },
  {
    name: 'copy to',
    reaches: ['new'],
    effect: 'changes',
    link: followsAlone,
    run: (boundary, path) => boundary.copy('spare', path),
    plain: (path, { root }) => copyFileSync(`${root}/spare`, path, constants.COPYFILE_EXCL),
  },
  {
    name: 'copy to, replacing',
    reaches: ['file', 'new'],
    effect: 'changes',
    link: follows,
    run: (boundary, path) => boundary.copy('spare', path, { replace: true }),
    plain: (path, { root }) => copyFileSync(`${root}/spare`, path),
  },
  {
    name: 'rename into another boundary',
    reaches: ['file', 'directory'],
    effect: 'changes',
    link: actsOnLink,
    linkAfterwards: ({ other }) => `${other}/renamed`,
    run: (boundary, path, other) => boundary.rename(path, 'renamed', { into: other }),
    plain: (path, { other }) => renameSync(path, `${other}/renamed`),
  },
  {
    name: 'rename out of another boundary',
    reaches: ['new'],
    effect: 'changes',
    link: { ...actsOnLink, named: 'ALREADY_EXISTS' },
    run: (boundary, path, other) => other.rename('spare', path, { into: boundary }),
    plain: (path, { other }) => renameSync(`${other}/spare`, path),
  },
  {
    name: 'copy into another boundary',
    reaches: ['file'],
    effect: 'reads',
    link: follows,
    run: copyAndRead,
    plain: (path, { other }) => copyAndReadPlain(path, `${other}/copied`),
  },
  {
    name: 'copy out of another boundary',
    reaches: ['new'],
    effect: 'changes',
    link: followsAlone,
    run: (boundary, path, other) => other.copy('spare', path, { into: boundary }),
    plain: (path, { other }) => copyFileSync(`${other}/spare`, path, constants.COPYFILE_EXCL),
  },
];

async function copyAndRead(boundary: Boundary, path: string, into: Boundary): Promise<string> {
  await boundary.copy(path, 'copied', { into });
  return into.readText('copied');
}

function copyAndReadPlain(path: string, copied: string): string {
  copyFileSync(path, copied);
  return readFileSync(copied, 'utf8');
}
