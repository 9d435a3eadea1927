import { buildRouteMap, type RouteMap } from '@stricli/core';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { changeCommands } from './roots-changes.ts';
import { viewCommands } from './roots-views.ts';

/** `rootward roots`: the one place where a person keeps roots. */
export const rootsRoutes: RouteMap<CliContext> = buildRouteMap({
  routes: {
    list: viewCommands.list,
    show: viewCommands.show,
    add: changeCommands.add,
    pick: viewCommands.pick,
    remove: changeCommands.remove,
    rename: changeCommands.rename,
    allow: changeCommands.allow,
    deny: changeCommands.deny,
    forget: changeCommands.forget,
    limit: changeCommands.limit,
    undo: changeCommands.undo,
    watch: viewCommands.watch,
    edit: viewCommands.edit,
    doctor: viewCommands.doctor,
  },
  docs: {
    brief: 'Manage the roots that MCP servers may see',
    fullDescription: [
      'Roots are stored in one file with their permissions, for all your clients and servers.',
      '`rootward serve` without directories follows it at once; hosts that use rootward/client do, too.',
      '',
      'Examples:',
      '  rootward roots pick ~/code',
      '  rootward roots add ~/code/app --preset write-in-project',
      '  rootward roots allow app remove',
      '  rootward roots remove app',
    ].join('\n'),
  },
});
