import {
  appendFileSync,
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Boundary } from '../../../src/boundary/boundary.ts';
import { actsOnLink, type BoundaryOperation, follows, followsAlone } from './boundary-operation.ts';

export const changingOperations: readonly BoundaryOperation[] = [
  {
    name: 'write',
    reaches: ['file', 'new'],
    effect: 'changes',
    link: follows,
    run: (boundary, path) => boundary.write(path, 'written'),
    plain: (path) => writeFileSync(path, 'written'),
  },
  {
    name: 'write of a new file',
    reaches: ['new'],
    effect: 'changes',
    link: followsAlone,
    run: (boundary, path) => boundary.write(path, 'written', { exclusive: true }),
    plain: (path) => writeFileSync(path, 'written', { flag: 'wx' }),
  },
  {
    name: 'write with parents',
    reaches: ['new', 'lost'],
    effect: 'changes',
    link: follows,
    run: (boundary, path) => boundary.write(path, 'written', { parents: true }),
    plain: (path) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, 'written');
    },
  },
  {
    name: 'update',
    reaches: ['file'],
    effect: 'changes',
    link: follows,
    run: (boundary, path) => boundary.update(path, (bytes) => `${bytes.toString()} changed`),
    plain: (path) => writeFileSync(path, `${readFileSync(path, 'utf8')} changed`),
  },
  {
    name: 'append',
    reaches: ['file', 'new'],
    effect: 'changes',
    link: follows,
    run: (boundary, path) => boundary.append(path, 'more'),
    plain: (path) => appendFileSync(path, 'more'),
  },
  {
    name: 'openLog',
    reaches: ['file', 'new'],
    effect: 'changes',
    link: follows,
    run: appendToLog,
    plain: appendToLogPlain,
  },
  {
    name: 'lock',
    reaches: ['new'],
    effect: 'changes',
    link: follows,
    run: lockAndRelease,
    plain: (path) => closeSync(openSync(path, 'a', 0o600)),
  },
  {
    name: 'makeDirectory',
    reaches: ['new'],
    effect: 'changes',
    link: { named: 'ALREADY_EXISTS', slashed: 'ALREADY_EXISTS', plainNamed: false, plainSlashed: false },
    run: (boundary, path) => boundary.makeDirectory(path),
    plain: (path) => mkdirSync(path),
  },
  {
    name: 'makeDirectory with parents',
    reaches: ['new', 'lost'],
    effect: 'changes',
    link: followsAlone,
    run: (boundary, path) => boundary.makeDirectory(path, { parents: true }),
    plain: (path) => void mkdirSync(path, { recursive: true }),
  },
  {
    name: 'remove',
    reaches: ['file'],
    effect: 'changes',
    link: actsOnLink,
    linkAfterwards: () => undefined,
    run: (boundary, path) => boundary.remove(path),
    plain: (path) => (lstatSync(path).isDirectory() ? rmdirSync(path) : unlinkSync(path)),
  },
  {
    name: 'remove of a tree',
    reaches: ['directory'],
    effect: 'changes',
    link: actsOnLink,
    linkAfterwards: () => undefined,
    run: (boundary, path) => boundary.remove(path, { tree: true }),
    plain: (path) => rmSync(path, { recursive: true }),
  },
  {
    name: 'changeMode',
    reaches: ['file', 'directory'],
    effect: 'changes',
    link: follows,
    run: (boundary, path) => boundary.changeMode(path, 0o750),
    plain: (path) => chmodSync(path, 0o750),
  },
];

async function appendToLog(boundary: Boundary, path: string): Promise<void> {
  const log = boundary.openLog(path);
  try {
    log.append('more');
  } finally {
    log.close();
  }
}

async function lockAndRelease(boundary: Boundary, path: string): Promise<void> {
  const held = await boundary.lock(path);
  await held.release();
}

function appendToLogPlain(path: string): void {
  const fd = openSync(path, 'a');
  writeSync(fd, 'more');
  closeSync(fd);
}
