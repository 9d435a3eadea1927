import { buildCommand, type Command } from '@stricli/core';
import type { Operation } from '../../boundary/step/operation.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import {
  exitCodes,
  json,
  parseOperation,
  parseOperations,
  presetNames,
  root,
  server,
} from '../terminal/flags.ts';
import type { AddRootsFlags } from './run-add.ts';
import type { ChangeFlags, ForgetFlags, LimitFlags, PermissionFlags } from './run-change.ts';
import type { UndoFlags } from './run-undo.ts';

const operationsFlag = (brief: string) =>
  ({
    kind: 'parsed',
    parse: parseOperation,
    variadic: ',',
    optional: true,
    brief,
    placeholder: 'operations',
  }) as const;

const globs = (brief: string) =>
  ({ kind: 'parsed', parse: String, variadic: true, optional: true, brief, placeholder: 'glob' }) as const;

/** `rootward roots add ~/code/app` */
const add: Command<CliContext> = buildCommand<AddRootsFlags, string[], CliContext>({
  docs: {
    brief: 'Add directories or files as roots',
    fullDescription: [
      'Checks each one first: missing, a system directory, keys in it, already a root. With an error none of them is',
      'added, unless --force is given. By default a root may be read and listed.',
      '',
      'Examples:',
      '  rootward roots add .',
      '  rootward roots add ~/code/app --name app --preset write-in-project',
      '  rootward roots add ~/notes --allow read,list,write --deny "private/**"',
      '',
      exitCodes,
    ].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: { brief: 'A directory, a file, or a file URI', parse: String, placeholder: 'path' },
    },
    flags: {
      name: { kind: 'parsed', parse: String, optional: true, brief: 'What to call it', placeholder: 'name' },
      preset: { kind: 'enum', values: presetNames, optional: true, brief: 'Permissions to start from' },
      allow: operationsFlag('Operations to allow, such as read,list,write'),
      ask: operationsFlag('Operations to ask a person about'),
      deny: globs('A glob to deny in it; may be repeated'),
      missing: { kind: 'boolean', default: false, brief: 'Keep it even if it does not exist yet' },
      force: { kind: 'boolean', default: false, brief: 'Keep it in spite of errors' },
      json,
    },
  },
  loader: async () => (await import('./run-add.ts')).runAddRoots,
});

/** `rootward roots remove app` */
const remove: Command<CliContext> = buildCommand<ChangeFlags, string[], CliContext>({
  docs: {
    brief: 'Remove roots with all their permissions and answers',
    fullDescription: [
      'Servers that follow the store lose them at their next call. A client that lists such a directory itself can',
      'still bring it in. To hide it from a server in any case, keep the root and use',
      '`rootward roots deny ROOT --server NAME`.',
      '',
      'Examples:',
      '  rootward roots remove app',
      '  rootward roots remove . ~/code/docs',
      '',
      exitCodes,
    ].join('\n'),
  },
  parameters: { positional: { kind: 'array', minimum: 1, parameter: root }, flags: { json } },
  loader: async () => (await import('./run-change.ts')).runRemoveRoots,
});

/** `rootward roots rename app "My app"` */
const rename: Command<CliContext> = buildCommand<ChangeFlags, [string, string], CliContext>({
  docs: {
    brief: 'Give a root another name',
    fullDescription: ['Examples:', '  rootward roots rename app "My app"', '', exitCodes].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [root, { brief: 'The new name', parse: String, placeholder: 'name' }],
    },
    flags: { json },
  },
  loader: async () => (await import('./run-change.ts')).runRenameRoot,
});

const operationsArgument = {
  brief: 'Some of read,list,write,remove,execute',
  parse: parseOperations,
  optional: true,
  placeholder: 'operations',
} as const;

const permissionParameters = (glob: string) =>
  ({
    positional: { kind: 'tuple', parameters: [root, operationsArgument] },
    flags: { glob: globs(glob), server, json },
  }) as const;

type PermissionArguments = [string, (readonly Operation[])?];

/** `rootward roots allow app write` */
const allow: Command<CliContext> = buildCommand<PermissionFlags, PermissionArguments, CliContext>({
  docs: {
    brief: 'Allow operations in a root, or show it to a server',
    fullDescription: [
      'With --glob it removes deny rules. With --server alone, that server may always see the root.',
      '',
      'Examples:',
      '  rootward roots allow app write,remove',
      '  rootward roots allow app write --server files',
      '  rootward roots allow app --glob "dist/**"',
      '  rootward roots allow app --server search',
      '',
      exitCodes,
    ].join('\n'),
  },
  parameters: permissionParameters('A deny rule to remove; may be repeated'),
  loader: async () => (await import('./run-change.ts')).runAllowRoot,
});

/** `rootward roots deny app write` */
const deny: Command<CliContext> = buildCommand<PermissionFlags, PermissionArguments, CliContext>({
  docs: {
    brief: 'Deny operations in a root, or what globs match, or hide it from a server',
    fullDescription: [
      'With --glob it denies matching files, for the given operations or for all. With --server alone, that server',
      'never sees the root; `rootward serve`, which has the name rootward or that of its --server, then refuses',
      'everything in it, even if a client lists it.',
      '',
      'Examples:',
      '  rootward roots deny app write',
      '  rootward roots deny app --glob "*.sqlite" --glob "private/**"',
      '  rootward roots deny app write --glob "docs/**"',
      '  rootward roots deny app --server search',
      '',
      exitCodes,
    ].join('\n'),
  },
  parameters: permissionParameters('A glob to deny; may be repeated'),
  loader: async () => (await import('./run-change.ts')).runDenyRoot,
});

/** `rootward roots limit search docs` */
const limit: Command<CliContext> = buildCommand<LimitFlags, [string, ...string[]], CliContext>({
  docs: {
    brief: 'Set the only roots that a server may see',
    fullDescription: [
      'Without roots it sees none. `rootward serve` has the name rootward, or that of its --server; it refuses',
      'all other roots, even if a client lists them.',
      '',
      'Examples:',
      '  rootward roots limit search docs notes',
      '  rootward roots limit search --all',
      '',
      exitCodes,
    ].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: { ...root, brief: 'The server, then its roots', placeholder: 'server-and-roots' },
    },
    flags: {
      all: { kind: 'boolean', default: false, brief: 'Remove the limit' },
      json,
    },
  },
  loader: async () => (await import('./run-change.ts')).runLimitServer,
});

/** `rootward roots forget app --server search` */
const forget: Command<CliContext> = buildCommand<ForgetFlags, [string], CliContext>({
  docs: {
    brief: 'Forget the answers about a server and a root',
    fullDescription: [
      'Removes an always or a never, so that a person is asked again. Permissions and lists stay.',
      '',
      'Examples:',
      '  rootward roots forget app --server search',
      '',
      exitCodes,
    ].join('\n'),
  },
  parameters: {
    positional: { kind: 'tuple', parameters: [root] },
    flags: {
      server: { kind: 'parsed', parse: String, brief: server.brief, placeholder: 'name' },
      json,
    },
  },
  loader: async () => (await import('./run-change.ts')).runForgetAnswer,
});

/** `rootward roots undo` */
const undo: Command<CliContext> = buildCommand<UndoFlags, [], CliContext>({
  docs: {
    brief: 'Undo the latest command; repeat for the one before it',
    fullDescription: [
      'Comments are restored, too. Later changes by an editor or another program stay;',
      'if they affect the same root, nothing can be undone.',
      '',
      'Examples:',
      '  rootward roots undo',
      '',
      exitCodes,
    ].join('\n'),
  },
  parameters: { flags: { json } },
  loader: async () => (await import('./run-undo.ts')).runUndoRoots,
});

/** The commands that change the store. */
export const changeCommands: Readonly<
  Record<'add' | 'remove' | 'rename' | 'allow' | 'deny' | 'forget' | 'limit' | 'undo', Command<CliContext>>
> = { add, remove, rename, allow, deny, forget, limit, undo };
