import { buildCommand, type Command } from '@stricli/core';
import { mergeModes } from '../../policy/merge.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import type { WrapFlags } from './run-wrap.ts';

const text = { kind: 'parsed', parse: String, optional: true } as const;
const texts = { ...text, variadic: true } as const;

/** `rootward wrap -- npx some-server` */
export const wrapCommand: Command<CliContext> = buildCommand<WrapFlags, string[], CliContext>({
  docs: {
    brief: 'Run any MCP server behind a gateway that gives it roots and rules',
    customUsage: ['[flags] -- COMMAND [ARGS...]', '--print-config [flags] -- COMMAND [ARGS...]'],
    fullDescription: [
      'Speaks MCP on stdin and stdout with the client, and with the server that it starts. Messages pass as they',
      'come, byte for byte, but for these: the server is told the roots that Rootward finds, whatever the client',
      'can say about them, and each call is judged and recorded. Without --root these are the stored roots, those',
      'that the client lists, or else the detected project.',
      '',
      'A server that takes directories in another way gets them so: {root} in an argument is the primary root, an',
      'argument with {roots} stands once for each root, --env-root names a variable, --chdir starts the server in',
      'the primary root. When the roots change, such a server is restarted and told everything again.',
      '',
      'A server in a container has other names for directories: --map /home/me/app=/work says so. The mounts of',
      '`docker run`, `podman run` and `devcontainer exec` are found from the command, and so are the drives of WSL;',
      '`rootward where --map -- COMMAND` prints them. Roots, URIs and paths in calls are renamed both ways.',
      '',
      'The server is not confined: it runs with your rights, and can reach whatever you can.',
      '',
      'Examples:',
      '  rootward wrap -- npx -y some-server',
      '  rootward wrap --root ~/code/app -- node server.js {roots}',
      '  rootward wrap --read-only --ask-tool "write_*" --deny-tool "delete_*" -- uvx some-server',
      '  rootward wrap --print-config --env-root PROJECT_DIR -- npx -y some-server',
      '',
      'Exit codes: that of the server; 128 and more if a signal ended it; 2 wrong usage, 3 could not be started.',
    ].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'array',
      parameter: { brief: 'The command that starts the server', parse: String, placeholder: 'command' },
    },
    flags: {
      root: {
        ...texts,
        brief: 'A directory that the server is given; may be repeated',
        placeholder: 'directory',
      },
      merge: {
        kind: 'enum',
        values: mergeModes,
        optional: true,
        brief: 'How client roots and yours combine; default union',
      },
      denyTool: { ...texts, brief: 'A glob of tools that are refused; may be repeated', placeholder: 'glob' },
      askTool: {
        ...texts,
        brief: 'A glob of tools about which you are asked each time; may be repeated',
        placeholder: 'glob',
      },
      readOnly: { kind: 'boolean', default: false, brief: 'Only tools that say that they change nothing' },
      envRoot: {
        ...texts,
        brief: 'A variable of the server that holds the primary root; may be repeated',
        placeholder: 'name',
      },
      map: {
        ...texts,
        brief: 'A directory that the server has under another name; may be repeated',
        placeholder: 'client=server',
      },
      chdir: { kind: 'boolean', default: false, brief: 'Start the server in the primary root' },
      name: {
        ...text,
        brief: 'The name of the server in records; default that of its program',
        placeholder: 'name',
      },
      printConfig: {
        kind: 'boolean',
        default: false,
        brief: 'Print the entry for the configuration of a client, as JSON, and start nothing',
      },
    },
  },
  async loader() {
    const { runWrap } = await import('./run-wrap.ts');
    return runWrap;
  },
});
