import { RootwardError } from '../../errors.ts';
import { isFileUri, readFileUri } from '../../path/file-uri.ts';
import { permissionsKey, type RootPermissions } from '../../policy/rules/root-permissions.ts';
import { limitPermissions, rootPermissionsFor } from '../store/permissions-for.ts';
import type { StoredRoot } from '../store/stored-root.ts';
import type { RootExposure } from './exposure.ts';
import type { ServerIdentity } from './server-identity.ts';

/** A root in the form that is sent to a server. */
export interface WireRoot {
  readonly uri: string;
  readonly name: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Marks a root whose URI leads nowhere: only its name is shown. */
export const redactedKey = 'rootward/redacted';

export interface WireContext {
  readonly server: ServerIdentity;
  readonly now: Date;
  /** Maps a root to the URI under which the server finds it, for example in a container. */
  readonly mapUri: ((root: StoredRoot) => string) | undefined;
  /** Whether the server gets the denied globs, which reveal names of files. */
  readonly tellsGlobs: boolean;
}

/**
 * Converts a root for a server, together with the permissions that a Rootward server enforces; `undefined` if it is
 * not shown.
 *
 * @throws {RootwardError} `INVALID_URI` for a mapped URI that is not a file URI
 */
export function toWireRoot(exposure: RootExposure, context: WireContext): WireRoot | undefined {
  const { root, state } = exposure;
  switch (state) {
    case 'hidden':
    case 'undecided':
      return undefined;
    case 'redacted':
      return {
        uri: `file:///redacted/${encodeURIComponent(root.name)}`,
        name: root.name,
        _meta: { [redactedKey]: true },
      };
    case 'shown':
      return {
        uri: uriOf(root, context),
        name: root.name,
        _meta: { [permissionsKey]: permissionsOf(exposure, context) },
      };
  }
}

function permissionsOf(
  { root, operations }: RootExposure,
  { server, now, tellsGlobs }: WireContext,
): RootPermissions {
  const permissions = limitPermissions(rootPermissionsFor(root, server, now), operations);
  return tellsGlobs ? permissions : { ...permissions, deny: [] };
}

function uriOf(root: StoredRoot, { mapUri }: WireContext): string {
  if (mapUri === undefined) return root.uri;
  const uri = mapUri(root);
  // The URI names a place on another system, so only its form can be checked.
  const isPlace =
    isFileUri(uri) &&
    ['posix', 'win32'].some(
      (platform) => typeof readFileUri(uri, { platform: platform as 'posix' | 'win32' }) === 'string',
    );
  if (!isPlace) throw new RootwardError('INVALID_URI', { uri, reason: 'Only file:// URIs are supported' });
  return uri;
}
