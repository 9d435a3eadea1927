import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Boundary } from '../../../src/boundary/boundary.ts';
import type { Guard } from '../../../src/boundary/step/context.ts';
import { operations } from '../../../src/boundary/step/operation.ts';
import { RootwardError } from '../../../src/errors.ts';
import { createStepGuard } from '../../../src/policy/decide.ts';
import { parsePolicy } from '../../../src/policy/rules/policy.ts';

/** Everything is allowed but what holds secrets. */
const policy = parsePolicy({ allow: operations });

const guards = new Map(
  operations.map((operation) => [operation, createStepGuard(policy, 'disk', operation)]),
);

/** The rules of the product, on every name that a boundary meets. */
export const secretsGuard: Guard = (operation, relative, last) => {
  const decision = guards.get(operation)?.(relative, last);
  if (decision === undefined) return undefined;
  const { rule, reason } = decision;
  return new RootwardError('DENIED', { operation, path: relative, root: 'disk', rule, reason });
};

/** Files that the rules deny, with the text in each. */
export const secretFiles = {
  '.env': 'SECRET-env',
  id_rsa: 'SECRET-key',
  'credentials.json': 'SECRET-json',
  '.ssh/id': 'SECRET-ssh',
  'sub dir/.config/gh/hosts.yml': 'SECRET-gh',
  'certs/server.pem': 'SECRET-pem',
} as const;

/** What may be read and not be changed. */
export const protectedFiles = { '.git/HEAD': 'ref: x', '.git/hooks/pre-commit': '#!/bin/sh' } as const;

type Attack = (boundary: Boundary, path: string) => Promise<unknown>;

const changing: readonly (readonly [name: string, attack: Attack])[] = [
  ['write', (boundary, path) => boundary.write(path, 'PLANTED')],
  ['write within', (boundary, path) => boundary.write(`${path}/planted`, 'PLANTED', { parents: true })],
  ['append', (boundary, path) => boundary.append(path, 'PLANTED')],
  ['update', (boundary, path) => boundary.update(path, () => 'PLANTED')],
  ['copy onto', (boundary, path) => boundary.copy('plain.txt', path, { replace: true })],
  ['rename onto', (boundary, path) => boundary.rename('plain.txt', path, { replace: true })],
  ['rename', (boundary, path) => boundary.rename(path, 'stolen')],
  ['remove', (boundary, path) => boundary.remove(path, { tree: true })],
  ['change mode', (boundary, path) => boundary.changeMode(path, 0o777)],
];

const reading: readonly (readonly [name: string, attack: Attack])[] = [
  ['read', (boundary, path) => boundary.readText(path)],
  ['read bytes', (boundary, path) => boundary.readBytes(path)],
  ['open', async (boundary, path) => (await boundary.open(path)).close()],
  ['stat', (boundary, path) => boundary.stat(path)],
  ['lstat', (boundary, path) => boundary.lstat(path)],
  ['probe', (boundary, path) => boundary.probe('read', path)],
  ['copy', (boundary, path) => boundary.copy(path, 'stolen', { replace: true })],
  ['open below', async (boundary, path) => (await boundary.openBelow(path, 'x')).close()],
];

const attacks = { reading, changing };

/** The attacks that were not refused. With `turn` one that changes something, another one each time; without it all. */
export async function tryAttacks(
  boundary: Boundary,
  path: string,
  kinds: readonly ('reading' | 'changing')[],
  turn?: number,
): Promise<readonly string[]> {
  const passed: string[] = [];
  const chosen = kinds.flatMap((kind) => {
    const all = attacks[kind];
    return turn === undefined ? all : all.slice(turn % all.length, (turn % all.length) + 1);
  });
  for (const [name, attack] of chosen) {
    try {
      await attack(boundary, path);
      passed.push(`${name} ${JSON.stringify(path)}`);
    } catch (error) {
      if (!RootwardError.is(error)) throw error;
    }
  }
  return passed;
}

/** What plain `node:fs` reads under a name; `undefined` if nothing. */
export function readPlainly(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Everything in a tree that the rules would not let be written, by the names that directories list. */
export function deniedNames(top: string, relative = ''): readonly string[] {
  if (!existsSync(join(top, relative))) return [];
  return readdirSync(join(top, relative), { withFileTypes: true }).flatMap((entry) => {
    const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
    if (secretsGuard('write', path, true) !== undefined) return [path];
    return entry.isDirectory() ? deniedNames(top, path) : [];
  });
}
