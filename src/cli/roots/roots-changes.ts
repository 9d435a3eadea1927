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
    brief: 'Keep directories or files as roots',
    fullDescription: [
      'Looks first at what speaks against it: nothing there, a system directory, keys in it, a place that is kept',
      'already. Errors keep all of them out unless --force is given. Without permissions a root may be read.',
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
      missing: { kind: 'boolean', default: false, brief: 'Keep it although nothing is there yet' },
      force: { kind: 'boolean', default: false, brief: 'Keep it in spite of errors' },
      json,
    },
  },
  loader: async () => (await import('./run-add.ts')).runAddRoots,
});

/** `rootward roots remove app` */
const remove: Command<CliContext> = buildCommand<ChangeFlags, string[], CliContext>({
  docs: {
    brief: 'Take roots away, with every permission and answer that goes with them',
    fullDescription: [
      'Servers that follow the store lose them at their next call. The store has nothing to say about them any',
      'more: a client that lists such a place by itself still brings it along. To keep it from a server whoever',
      'lists it, keep the root and say `rootward roots deny ROOT --server NAME`.',
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
      'With --glob it takes deny rules away. With --server and nothing else that server may see the root, always.',
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
  parameters: permissionParameters('A deny rule to take away; may be repeated'),
  loader: async () => (await import('./run-change.ts')).runAllowRoot,
});

/** `rootward roots deny app write` */
const deny: Command<CliContext> = buildCommand<PermissionFlags, PermissionArguments, CliContext>({
  docs: {
    brief: 'Deny operations in a root, or what globs match, or hide it from a server',
    fullDescription: [
      'With --glob it denies what matches, for the operations that are named or for all. With --server and nothing',
      'else that server never sees the root; `rootward serve`, by the name rootward or that of its --server, then',
      'refuses everything in it, also where a client lists it.',
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
    brief: 'Name the only roots that a server may see',
    fullDescription: [
      'Without any it sees none. `rootward serve` goes by the name rootward, or that of its --server; it refuses',
      'the roots that are left out, also where a client lists them.',
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
      all: { kind: 'boolean', default: false, brief: 'Take the limit away' },
      json,
    },
  },
  loader: async () => (await import('./run-change.ts')).runLimitServer,
});

/** `rootward roots forget app --server search` */
const forget: Command<CliContext> = buildCommand<ForgetFlags, [string], CliContext>({
  docs: {
    brief: 'Forget what was answered about a server and a root',
    fullDescription: [
      'Takes an always or a never back, as if nobody had been asked. Permissions and lists stay.',
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
    brief: 'Take back what the latest command changed; again for the one before it',
    fullDescription: [
      'Comments that were in the file come back, too. What an editor or another program has changed since stays;',
      'if it is the same root, nothing can be taken back.',
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
