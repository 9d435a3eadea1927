import { operations as all } from '../boundary/operation.ts';
import { findRootIssues } from '../client/find-root-issues.ts';
import { permissionsFor } from '../client/permissions-for.ts';
import type { RootFinding } from '../client/root-finding.ts';
import type { StoredRoot } from '../client/stored-root.ts';
import { toRootPermissions } from '../policy/root-permissions.ts';
import { escapeText } from '../quote.ts';
import type { CliContext } from './command-context.ts';
import { describeGrant, describePermissions, lookAtRoots } from './format-roots.ts';
import { lookIntoStore, requireStored } from './own-store.ts';
import { createPaint, formatFields } from './paint.ts';

export interface ShowRootFlags {
  readonly server?: string;
  readonly json: boolean;
}

/** Prints everything about one root. */
export async function runShowRoot(this: CliContext, flags: ShowRootFlags, which: string): Promise<void> {
  const root = await lookIntoStore(this, async (store) => requireStored(this, store, which));
  const issues = await findRootIssues({ uri: root.uri, name: root.name });
  const state = (await lookAtRoots([root])).get(root.path) ?? '';
  const permissions = toRootPermissions(permissionsFor(root, flags.server));
  const text = flags.json
    ? `${JSON.stringify({ ...root, state, effective: permissions, issues })}\n`
    : formatFields(fieldsOf({ root, state, issues, server: flags.server }), createPaint(this));
  this.process.stdout.write(text);
}

interface Shown {
  readonly root: StoredRoot;
  readonly state: string;
  readonly issues: readonly RootFinding[];
  readonly server: string | undefined;
}

type Fields = readonly (readonly [string, string])[];

function fieldsOf({ root, state, issues, server }: Shown): Fields {
  const permissions = toRootPermissions(permissionsFor(root, server));
  const denied = permissions.deny.map(({ glob, operations }) => {
    const only =
      operations === undefined || operations.length === all.length ? '' : ` (${operations.join(', ')})`;
    return ['denies', escapeText(`${glob}${only}`)] as const;
  });
  return [
    ['name', escapeText(root.name)],
    ['where', escapeText(root.path)],
    ['uri', root.uri],
    ['state', state],
    ...(root.added === undefined ? [] : [['added', root.added] as const]),
    [server === undefined ? 'permits' : `permits ${escapeText(server)}`, describePermissions(permissions)],
    ...denied,
    ...(server === undefined ? perServer(root) : []),
    ...root.grants.map(
      (grant) => ['answer', `${escapeText(grant.server)}: ${describeGrant(grant)}`] as const,
    ),
    ...issues.map(({ severity, message }) => [severity, message] as const),
  ];
}

function perServer(root: StoredRoot): Fields {
  return Object.keys(root.servers).map((name) => {
    const permissions = toRootPermissions(permissionsFor(root, name));
    return [`permits ${escapeText(name)}`, describePermissions(permissions)];
  });
}
