import { posix, sep } from 'node:path';
import type { Operation } from '../boundary/step/operation.ts';
import { RootwardError } from '../errors.ts';
import type { Location, Workspace } from '../workspace/workspace.ts';
import { type AccessRequest, createLocationGuard, denied } from './decide.ts';
import type { AskedPlace } from './decision.ts';
import type { Policy } from './rules/policy.ts';

export interface PlaceScope {
  readonly workspace: Workspace;
  readonly policy: Policy;
}

/**
 * Finds the place where an operation would really act, so that a person is asked about that place and not
 * about the name of a link. Deny rules apply on the way: a denied name is not looked at, and no question is
 * asked about it.
 *
 * @throws {RootwardError} `DENIED` or `OUTSIDE_ROOTS`, where consent could not help
 */
export async function findAskedPlace(
  scope: PlaceScope,
  request: AccessRequest,
  location: Location,
): Promise<AskedPlace> {
  const judge = createLocationGuard(scope, location);
  const boundary = location.boundary.guarded((operation, relative, last) => {
    const objection = judge(operation, relative, last);
    return objection?.decision.verdict === 'deny' ? denied({ ...request, operation }, objection) : undefined;
  });
  const { operation, itself = operation === 'remove' } = request;
  try {
    const options = { itself, missing: true };
    const { relative, kind, links } = await boundary.probe(operation, location.relative, options);
    return { relative, links, whole: kind === 'directory' };
  } catch (error) {
    if (RootwardError.is(error, 'DENIED') || RootwardError.is(error, 'OUTSIDE_ROOTS')) throw error;
    return byText(location.relative);
  }
}

/** For a path that cannot be probed: the operation will fail, or act where the text says. */
function byText(path: string): AskedPlace {
  const relative = posix.normalize(path.replaceAll(sep, '/')).replace(/^\/+|\/+$/g, '');
  return { relative: relative === '.' ? '' : relative, links: [], whole: false };
}

/** Whether consent for one place also covers another: consent for a directory covers everything in it. */
export function covers(
  { relative: place, whole }: AskedPlace,
  operation: Operation,
  relative: string,
): boolean {
  // A command reaches the whole root wherever it starts, and the question says so.
  if (operation === 'execute' || relative === place) return true;
  return whole && (place === '' || relative.startsWith(`${place}/`));
}
