import { describe, expect, test } from 'vitest';
import {
  isReplaced,
  judgeLiveness,
  liesOnNoMount,
  type RootObservation,
  type RememberedPlace,
  type LivenessVerdict,
} from './liveness.ts';

const system = { point: '/', device: '1:1 /' };
const disk = { point: '/media/me/disk', device: '8:1 /' };
const sight = { kind: 'directory', identity: 'one', real: '/work/app', readable: true } as const;
const before: RememberedPlace = { ...sight, mount: system };
const onDisk: RememberedPlace = { ...sight, real: '/media/me/disk/app', mount: disk };
const available: LivenessVerdict = { state: 'available', reason: 'it exists' };
const missing: LivenessVerdict = { state: 'missing', reason: 'it does not exist' };
const there: RootObservation = { look: sight, path: '/work/app', mount: system };
const gone: RootObservation = { look: { refused: 'missing' }, path: '/work/app', mount: system };

interface Row {
  readonly before?: RememberedPlace;
  readonly was?: LivenessVerdict;
  readonly now: RootObservation;
  readonly state: LivenessVerdict['state'];
}

const rows: Readonly<Record<string, Row>> = {
  'seen for the first time': { now: there, state: 'available' },
  'missing from the start': { now: gone, state: 'missing' },
  'there as before': { before, was: available, now: there, state: 'available' },
  'there again': { before, was: missing, now: there, state: 'returned' },
  'there since it returned': {
    before,
    was: { state: 'returned', reason: '' },
    now: there,
    state: 'returned',
  },
  replaced: {
    before,
    was: available,
    now: { ...there, look: { ...sight, identity: 'two' } },
    state: 'returned',
  },
  'replaced by a file': {
    before,
    was: available,
    now: { ...there, look: { ...sight, kind: 'file' } },
    state: 'missing',
  },
  deleted: { before, was: available, now: gone, state: 'missing' },
  renamed: { before, was: available, now: { ...gone, movedTo: '/work/b' }, state: 'moved' },
  unreadable: {
    before,
    was: available,
    now: { ...there, look: { ...sight, readable: false } },
    state: 'no-permission',
  },
  'behind a directory that is closed': {
    before,
    was: available,
    now: { ...gone, look: { refused: 'no-permission' } },
    state: 'no-permission',
  },
  'a FIFO': { now: { ...there, look: { ...sight, kind: 'FIFO', readable: false } }, state: 'missing' },
  silent: { before, was: available, now: { ...gone, look: { refused: 'silent' } }, state: 'unmounted' },
  'gone with its disk': { before: onDisk, was: available, now: gone, state: 'unmounted' },
  'an empty mount point where its disk was': {
    before: onDisk,
    was: available,
    now: { ...there, look: { ...sight, identity: 'two' } },
    state: 'unmounted',
  },
  'deleted on a disk that is there': {
    before: onDisk,
    was: available,
    now: { ...gone, mount: disk },
    state: 'missing',
  },
  'missing from the start where disks are mounted': {
    now: { ...gone, path: '/media/me/disk/app' },
    state: 'unmounted',
  },
};

describe('judges a root by one look and the last known state', () => {
  test.each(Object.entries(rows))('%s', (_name, row) => {
    expect(judgeLiveness(row.before, row.was, row.now).state).toBe(row.state);
  });
});

test('a new identity means a replaced directory, but just a saved file', () => {
  expect(isReplaced(before, { ...sight, identity: 'two' })).toBe(true);
  expect(isReplaced({ ...before, kind: 'file' }, { ...sight, kind: 'file', identity: 'two' })).toBe(false);
  expect(isReplaced(before, { refused: 'missing' })).toBe(false);
  expect(isReplaced(undefined, sight)).toBe(false);
});

test.each([
  ['/media/me/stick/app', system, true],
  ['/run/media/me/stick', { point: '/run', device: '0:25 /' }, true],
  ['/mnt/data', system, true],
  ['/Volumes/Stick/app', system, true],
  ['/media/me/stick/app', { point: '/media/me/stick', device: '8:1 /' }, false],
  ['/mnt', system, false],
  ['/mntx/data', system, false],
  ['/home/me/app', system, false],
] as const)('a missing %s on %o is on no mount: %s', (path, mount, expected) => {
  expect(liesOnNoMount(path, mount, 'posix')).toBe(expected);
});

test('an unknown drive is not mounted', () => {
  expect(liesOnNoMount('Z:\\app', undefined, 'win32')).toBe(true);
  expect(liesOnNoMount('C:\\app', { point: 'C:\\', device: '7' }, 'win32')).toBe(false);
});
