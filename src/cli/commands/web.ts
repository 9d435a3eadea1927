import { buildCommand, type Command } from '@stricli/core';
import type { CliContext } from '../../serve/settings/process-context.ts';
import type { WebFlags } from './run-web.ts';

/** `rootward web` */
export const webCommand: Command<CliContext> = buildCommand<WebFlags, string[], CliContext>({
  docs: {
    brief: 'Open the page where you see and control roots, connections and decisions',
    fullDescription: [
      'Serves a page on this machine only and opens it in your browser. The link works once; press Enter for a new',
      'one. The server ends when the page was not open for 15 minutes; with --serve it stays.',
      '',
      'Your browser opens a file with the link that only you can read. A browser that cannot read it (a snap, or',
      'one on another machine) needs the link from the terminal.',
      '',
      'Directories limit what can be browsed and added. Without any, your home can be browsed, and any path',
      'you type can be added.',
      '',
      'Examples:',
      '  rootward web',
      '  rootward web ~/code --port 7331',
      '  rootward web --serve',
      '',
      'Exit codes: 0 ended, 2 wrong usage, 3 failed.',
    ].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'array',
      parameter: { brief: 'A directory that may be browsed and added', parse: String, placeholder: 'dir' },
    },
    flags: {
      port: {
        kind: 'parsed',
        parse: parsePort,
        optional: true,
        brief: 'Listen there; any free port by default',
        placeholder: 'n',
      },
      open: { kind: 'boolean', default: true, brief: 'Open it in the browser' },
      serve: {
        kind: 'boolean',
        default: false,
        brief: 'Also start an MCP server over HTTP, with your roots',
      },
    },
  },
  async loader() {
    const { runWeb } = await import('./run-web.ts');
    return runWeb;
  },
});

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error('a port from 0 to 65535 is expected');
  return port;
}
