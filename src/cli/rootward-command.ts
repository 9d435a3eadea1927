import { createRequire } from 'node:module';
import { type Application, buildApplication, buildRouteMap, text_en } from '@stricli/core';
import { exitClassOf, RootwardError } from '../errors.ts';
import type { CliContext } from '../serve/settings/process-context.ts';
import { checkCommand } from './commands/check.ts';
import { findCommand } from './commands/find.ts';
import { serveCommand } from './commands/serve.ts';
import { webCommand } from './commands/web.ts';
import { whereCommand } from './commands/where.ts';
import { wrapCommand } from './commands/wrap.ts';
import { rootsRoutes } from './roots/roots.ts';
import { exitCode } from './terminal/exit-code.ts';

const { version } = createRequire(import.meta.url)('rootward/package.json') as { version: string };

const routes = {
  serve: serveCommand,
  wrap: wrapCommand,
  where: whereCommand,
  find: findCommand,
  check: checkCommand,
  roots: rootsRoutes,
  web: webCommand,
} as const;

export const commandNames: ReadonlySet<string> = new Set(Object.keys(routes));

/** Every command. Unknown flags and commands are errors: a mistyped `--read-onl` must not grant writes. */
export const app: Application<CliContext> = buildApplication(
  buildRouteMap({
    routes,
    docs: { brief: 'Which project am I in, and may I touch this path?' },
  }),
  {
    name: 'rootward',
    versionInfo: { currentVersion: version },
    determineExitCode,
    // `rootward wrap -- server --its-flag`
    scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
    documentation: { caseStyle: 'convert-camel-to-kebab', useAliasInUsageLine: false },
    localization: {
      text: {
        ...text_en,
        exceptionWhileRunningCommand: describe,
        exceptionWhileParsingArguments: describe,
      },
    },
  },
);

/** Maps an error to its exit code: a bad rule is a usage error; "no project" is an answer. */
function determineExitCode(error: unknown): number {
  return exitCode[RootwardError.is(error) ? exitClassOf(error.code) : 'failed'];
}

/** Formats an error for a person: the problem and the remedy, without a stack. */
function describe(error: unknown): string {
  if (RootwardError.is(error)) return `${error.message}\n${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}
