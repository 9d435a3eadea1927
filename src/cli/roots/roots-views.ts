import { buildCommand, type Command } from '@stricli/core';
import type { CliContext } from '../../serve/settings/process-context.ts';
import {
  depthFlag,
  exitCodes,
  json,
  parseSeconds,
  presetNames,
  root,
  searchStart,
  server,
} from '../terminal/flags.ts';
import type { DoctorRootsFlags } from './run-doctor.ts';
import type { EditRootsFlags } from './run-edit.ts';
import type { ListRootsFlags } from './run-list.ts';
import type { PickRootsFlags } from './run-pick.ts';
import type { ShowRootFlags } from './run-show.ts';
import type { WatchRootsFlags } from './run-watch.ts';

/** `rootward roots list` */
const list: Command<CliContext> = buildCommand<ListRootsFlags, [], CliContext>({
  docs: {
    brief: 'List the roots that are kept, what they permit, and whether they are there',
    fullDescription: [
      'With --server: what that server gets of each, as one that its host starts, and why it gets nothing.',
      '',
      'Examples:',
      '  rootward roots list',
      '  rootward roots list --server search',
      '  rootward roots list --json',
      '',
      exitCodes,
    ].join('\n'),
  },
  parameters: { flags: { server, json } },
  loader: async () => (await import('./run-list.ts')).runListRoots,
});

/** `rootward roots show app` */
const show: Command<CliContext> = buildCommand<ShowRootFlags, [string], CliContext>({
  docs: {
    brief: 'Show everything about one root',
    fullDescription: [
      'Examples:',
      '  rootward roots show app',
      '  rootward roots show app --server search --json',
      '',
      exitCodes,
    ].join('\n'),
  },
  parameters: { positional: { kind: 'tuple', parameters: [root] }, flags: { server, json } },
  loader: async () => (await import('./run-show.ts')).runShowRoot,
});

/** `rootward roots doctor` */
const doctor: Command<CliContext> = buildCommand<DoctorRootsFlags, [], CliContext>({
  docs: {
    brief: 'Tell what is wrong with the roots that are kept, each with its remedy',
    fullDescription: [
      'Looks at every place by where it really is: missing, not to be read, kept twice, one in another, too broad,',
      'sensitive, a link that leads elsewhere, not mounted.',
      '',
      'Examples:',
      '  rootward roots doctor',
      '  rootward roots doctor --json',
      '',
      'Exit codes: 0 nothing is wrong but for warnings, 1 something is, 2 wrong usage, 3 failed, such as by a',
      'file that cannot be read.',
    ].join('\n'),
  },
  parameters: { flags: { json } },
  loader: async () => (await import('./run-doctor.ts')).runDoctorRoots,
});

/** `rootward roots watch` */
const watch: Command<CliContext> = buildCommand<WatchRootsFlags, [], CliContext>({
  docs: {
    brief: 'Print what happens to the roots that are kept, until it is ended',
    fullDescription: [
      'Tells when one vanishes, moves, is unmounted or returns, and when what is kept changes.',
      '',
      'Examples:',
      '  rootward roots watch',
      '  rootward roots watch --content --json',
      '',
      'With --json one event a line. Exit codes: 0 ended, 2 wrong usage, 3 failed.',
    ].join('\n'),
  },
  parameters: {
    flags: {
      content: { kind: 'boolean', default: false, brief: 'Tell what changes in them, too' },
      seconds: {
        kind: 'parsed',
        parse: parseSeconds,
        optional: true,
        brief: 'End by itself after so long',
        placeholder: 'n',
      },
      json,
    },
  },
  loader: async () => (await import('./run-watch.ts')).runWatchRoots,
});

/** `rootward roots edit` */
const edit: Command<CliContext> = buildCommand<EditRootsFlags, [], CliContext>({
  docs: {
    brief: 'Open the file in your editor, and look at it afterwards',
    fullDescription: [
      'Uses VISUAL, else EDITOR. The file is JSON with comments, which stay. A mistake is told with line and',
      'column, and until it is repaired everybody goes on with what was there before.',
      '',
      'Examples:',
      '  rootward roots edit',
      '  rootward roots edit --print',
      '',
      exitCodes,
    ].join('\n'),
  },
  parameters: {
    flags: { print: { kind: 'boolean', default: false, brief: 'Print where the file is, and open nothing' } },
  },
  loader: async () => (await import('./run-edit.ts')).runEditRoots,
});

/** `rootward roots pick ~/code` */
const pick: Command<CliContext> = buildCommand<PickRootsFlags, [string?], CliContext>({
  docs: {
    brief: 'Choose roots from what is found, on the terminal',
    fullDescription: [
      'Finds repositories, projects, editor workspaces and recent folders, and shows them with what is kept',
      'already. Type to search, Tab to mark, Enter to end. Needs a terminal; `rootward roots add` does not.',
      '',
      'Examples:',
      '  rootward roots pick',
      '  rootward roots pick ~/code --depth 3 --preset write-in-project',
      '',
      'Exit codes: 0 done, 1 cancelled, 2 wrong usage or no terminal, 3 failed.',
    ].join('\n'),
  },
  parameters: {
    positional: searchStart,
    flags: {
      depth: depthFlag,
      seconds: {
        kind: 'parsed',
        parse: parseSeconds,
        default: '10',
        brief: 'How long at most',
        placeholder: 'n',
      },
      preset: { kind: 'enum', values: presetNames, optional: true, brief: 'Permissions of what is added' },
      recent: { kind: 'boolean', default: true, brief: 'Show what editors had open, wherever it is' },
    },
  },
  loader: async () => (await import('./run-pick.ts')).runPickRoots,
});

/** The commands that read the store, or that open it for a person. */
export const viewCommands: Readonly<
  Record<'list' | 'show' | 'doctor' | 'watch' | 'edit' | 'pick', Command<CliContext>>
> = { list, show, doctor, watch, edit, pick };
