import { chmodSync, existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { probeConfinement } from './confinement.ts';
import { canRun, needs } from '../../../test/support/processes/system-programs.ts';

/** A `bwrap` that answers as it is told. */
function pretender(script: string): { program: string } & Disposable {
  const tree = tempTree([`bwrap = #!/bin/sh\n${script}\n`]);
  chmodSync(tree.at('bwrap'), 0o755);
  return { program: tree.at('bwrap'), [Symbol.dispose]: () => tree[Symbol.dispose]() };
}

const all = '--bind-fd --ro-bind-fd --ro-bind-data --json-status-fd --remount-ro --size --perms';

describe.runIf(process.platform === 'linux' && canRun('bwrap'))(`confinement${needs('bwrap')}`, () => {
  test('is found where bubblewrap works', async () => {
    expect(await probeConfinement()).toMatchObject({ kind: 'bubblewrap', version: /^\d+\.\d+/ });
  });

  test('is none where it is not installed', async () => {
    expect(await probeConfinement({ searchPath: '/nowhere' })).toEqual({
      kind: 'none',
      reason: 'bubblewrap (bwrap) is not installed',
    });
  });

  test('is none if the only one could have been put there by a tool', async () => {
    using tree = tempTree(['bwrap = #!/bin/sh\ntouch "$0.ran"\n']);
    chmodSync(tree.at('bwrap'), 0o755);
    const { kind, ...rest } = await probeConfinement({ searchPath: tree.path });
    expect([kind, existsSync(tree.at('bwrap.ran'))]).toEqual(['none', false]);
    expect(rest).toMatchObject({ reason: expect.stringContaining(`"${tree.at('bwrap')}" is not used: `) });
  });

  test('is none where it is too old', async () => {
    using old = pretender(
      '[ "$1" = --version ] && echo bubblewrap 0.4.0 || echo --size --perms --ro-bind-fd',
    );
    expect(await probeConfinement(old)).toEqual({
      kind: 'none',
      reason:
        'bubblewrap 0.4.0 is too old: it has no --bind-fd, --ro-bind-data, --json-status-fd, --remount-ro',
    });
  });

  test('is none if it does not work as it claims', async () => {
    using broken = pretender(`[ "$1" = --help ] && echo ${all} || echo "bwrap: Permission denied" >&2`);
    expect(await probeConfinement(broken)).toMatchObject({ kind: 'none', reason: /Permission denied/ });
  });

  test('is none if it does not answer', async () => {
    using silent = pretender(`[ "$1" = --help ] && { echo ${all}; exit; }; exec sleep 60`);
    expect(await probeConfinement({ ...silent, milliseconds: 300 })).toMatchObject({ kind: 'none' });
  });
});
