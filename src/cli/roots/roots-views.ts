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
    brief: 'List the stored roots, what they allow, and whether they exist',
    fullDescription: [
      'With --server: the view of that server, started by its host, and why it does not see a root.',
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
    brief: 'Report problems with the stored roots, each with its remedy',
    fullDescription: [
      'Checks every root by its real path: missing, unreadable, duplicate, inside another one, too broad,',
      'sensitive, a link that leads elsewhere, not mounted.',
      '',
      'Examples:',
      '  rootward roots doctor',
      '  rootward roots doctor --json',
      '',
      'Exit codes: 0 no errors (warnings are allowed), 1 errors, 2 wrong usage, 3 failed, for example because',
      'the file cannot be read.',
    ].join('\n'),
  },
  parameters: { flags: { json } },
  loader: async () => (await import('./run-doctor.ts')).runDoctorRoots,
});

/** `rootward roots watch` */
const watch: Command<CliContext> = buildCommand<WatchRootsFlags, [], CliContext>({
  docs: {
    brief: 'Print changes to the stored roots until stopped',
    fullDescription: [
      'Reports when a root vanishes, moves, is unmounted or returns, and when the store changes.',
      '',
      'Examples:',
      '  rootward roots watch',
      '  rootward roots watch --content --json',
      '',
      'With --json: one event per line. Exit codes: 0 ended, 2 wrong usage, 3 failed.',
    ].join('\n'),
  },
  parameters: {
    flags: {
      content: { kind: 'boolean', default: false, brief: 'Also report changes inside the roots' },
      seconds: {
        kind: 'parsed',
        parse: parseSeconds,
        optional: true,
        brief: 'Stop after this many seconds',
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
    brief: 'Open the file in your editor, and check it afterwards',
    fullDescription: [
      'Uses VISUAL, else EDITOR. The file is JSON with comments, which stay. A mistake is reported with line and',
      'column; until it is repaired, all programs keep using the last valid version.',
      '',
      'Examples:',
      '  rootward roots edit',
      '  rootward roots edit --print',
      '',
      exitCodes,
    ].join('\n'),
  },
  parameters: {
    flags: {
      print: { kind: 'boolean', default: false, brief: 'Print the path of the file, and open nothing' },
    },
  },
  loader: async () => (await import('./run-edit.ts')).runEditRoots,
});

/** `rootward roots pick ~/code` */
const pick: Command<CliContext> = buildCommand<PickRootsFlags, [string?], CliContext>({
  docs: {
    brief: 'Choose roots from a list on the terminal',
    fullDescription: [
      'Finds repositories, projects, editor workspaces and recent folders, and shows them with the stored',
      'roots. Type to search, Tab to mark, Enter to finish. Needs a terminal; `rootward roots add` does not.',
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
        brief: 'Time limit in seconds',
        placeholder: 'n',
      },
      preset: { kind: 'enum', values: presetNames, optional: true, brief: 'Permissions of added roots' },
      recent: {
        kind: 'boolean',
        default: true,
        brief: 'Include folders that editors had open, wherever they are',
      },
    },
  },
  loader: async () => (await import('./run-pick.ts')).runPickRoots,
});

/** The commands that read the store, or that open it for a person. */
export const viewCommands: Readonly<
  Record<'list' | 'show' | 'doctor' | 'watch' | 'edit' | 'pick', Command<CliContext>>
> = { list, show, doctor, watch, edit, pick };
