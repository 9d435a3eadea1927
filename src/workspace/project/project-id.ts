import { createHash } from 'node:crypto';
import { basename, dirname, relative, sep } from 'node:path';
import type { Repository } from './repository.ts';

/** 64 bits, which makes collisions infeasible. */
const digits = 16;
const longestLabel = 40;

/**
 * Creates the id of a project: readable, the same in every worktree of its repository, different for two
 * directories of one name. It depends on paths and never on content: renaming the package in a manifest
 * changes the name of a project, not its id.
 *
 * @param location - real path of the project
 * @param repository - the one around it, from `detectEnclosingRepository`
 * @example
 * ```ts
 * createProjectId('/home/me/app') === createProjectId('/home/me/app') // → true
 * createProjectId('/home/me/app') === createProjectId('/home/you/app') // → false
 * createProjectId('/home/me/app').slice(0, 4) // → 'app-'
 * ```
 */
export function createProjectId(location: string, repository?: Pick<Repository, 'top' | 'identity'>): string {
  const way = repository === undefined ? location : relative(repository.top, location).split(sep).join('/');
  const label = repository === undefined || way !== '' ? basename(location) : repositoryLabel(repository);
  const identity = JSON.stringify([repository?.identity ?? null, way]);
  return `${toLabel(label)}-${createHash('sha256').update(identity).digest('hex').slice(0, digits)}`;
}

/** `/home/me/app/.git`, `/srv/app.git` and `/home/me/app/.bare` all belong to `app`. */
function repositoryLabel({ identity }: Pick<Repository, 'identity'>): string {
  const name = basename(identity);
  return name.startsWith('.') ? basename(dirname(identity)) : name.replace(/\.git$/, '');
}

/** Matches most names, which need no replacement. Avoids loading the large Unicode tables. */
const plain = /^[A-Za-z0-9._]+(?:-[A-Za-z0-9._]+){0,8}$(?<=^.{1,40})/;

/** Keeps letters and digits of any script; everything else becomes one `-`. */
function toLabel(name: string): string {
  if (plain.test(name)) return name;
  const label = name.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N}._]+/gu, '-');
  const short = label.slice(0, longestLabel).replace(/\p{Surrogate}$/u, '');
  return short.replaceAll(/^-+|-+$/g, '') || 'project';
}
