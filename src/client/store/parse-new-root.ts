import { escapeText } from '../../base/quote.ts';
import { RootwardError } from '../../errors.ts';
import { isFileUri } from '../../path/file-uri.ts';
import { parseRoot, type Root } from '../../path/root.ts';
import type { PermissionConfig } from '../../policy/rules/policy-config.ts';
import { parsePolicy } from '../../policy/rules/policy.ts';
import { type PathContext, readRootPlace, StoreFault } from './root-record.ts';

/**
 * Reads what somebody wants to keep as a root.
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
  try {
    return readRootPlace({ value: path, path: [] }, undefined, context);
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
    throw refusePlace(path, context);
  }
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
  if (likePlace.test(name)) return 'it reads like a path or a URI';
  if (name.length > longestName) return `it is longer than ${longestName} characters`;
  return escapeText(name) === name ? undefined : 'it has characters that cannot be seen';
}

const longestName = 256;

/** On any system: what is a name here must not be a place where the file is read next. */
const likePlace = /^(?:[\\/]|~[\\/]|[A-Za-z]:[\\/]|file:|[A-Za-z][\w+.-]*:\/\/)/i;
