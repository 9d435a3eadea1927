import { escapeText } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import { isFileUri } from '../../path/file-uri.ts';
import { parseRoot, type Root } from '../../path/root.ts';
import type { PermissionConfig } from '../../policy/rules/policy-config.ts';
import { parsePolicy } from '../../policy/rules/policy.ts';
import { type PathContext, readRootPlace } from './root-record.ts';

/**
 * Parses a root to be added.
 *
 * @throws {RootwardError} `INVALID_URI`, `INVALID_PATH`, `INVALID_NAME`, `INVALID_POLICY`
 */
export function parseNewRoot(
  {
    path,
    name,
    preset,
    allow,
    ask,
    deny,
  }: PermissionConfig & { readonly path: string; readonly name?: string },
  context: PathContext,
): Root {
  if (name !== undefined) parseNewName(name);
  parsePolicy({ preset, allow, ask, deny, secrets: false });
  const read = readRootPlace(path, context);
  if ('reason' in read || path === '') throw refusePlace(path, context);
  return read.root;
}

function refusePlace(path: string, context: PathContext): RootwardError {
  const issue = parseRoot({ uri: path }, context).issues.find(({ effect }) => effect === 'dropped');
  const reason = issue?.message.replace(/^.*?": /, '') ?? 'it is not an absolute path';
  const isUri = isFileUri(path) || issue?.code === 'foreign-scheme';
  if (issue?.code === 'foreign-scheme') {
    return new RootwardError('INVALID_URI', { uri: path, reason: 'Only file:// URIs are supported' });
  }
  return isUri
    ? new RootwardError('INVALID_URI', { uri: path, reason })
    : new RootwardError('INVALID_PATH', { path, reason });
}

/** @throws {RootwardError} `INVALID_NAME` */
export function parseNewName(name: string): string {
  const reason = faultOf(name);
  if (reason !== undefined) throw new RootwardError('INVALID_NAME', { name, reason });
  return name;
}

function faultOf(name: string): string | undefined {
  if (name.trim() === '') return 'it is empty';
  if (likePlace.test(name)) return 'it looks like a path or a URI';
  if (name.length > longestName) return `it is longer than ${longestName} characters`;
  return escapeText(name) === name ? undefined : 'it has invisible characters';
}

const longestName = 256;

/** For all platforms: the file may be read on another one, where this name would be a path. */
const likePlace = /^(?:[\\/]|~[\\/]|[A-Za-z]:[\\/]|file:|[A-Za-z][\w+.-]*:\/\/)/i;
