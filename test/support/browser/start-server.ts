import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { program } from '../processes/program.ts';

/** A real server of ours with a real client, at home in the given directory. */
export interface StartedServer extends AsyncDisposable {
  readonly pid: number;
  call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly refused: boolean; readonly text: string }>;
  close(): Promise<void>;
}

export interface StartOptions {
  readonly home: string;
  readonly args: readonly string[];
  readonly name?: string;
  /** Declares roots, and lists these. */
  readonly roots?: readonly string[];
}

export async function startServer({
  home,
  args,
  name = 'Editor',
  roots,
}: StartOptions): Promise<StartedServer> {
  const capabilities = roots === undefined ? {} : { roots: { listChanged: true } };
  const client = new Client({ name, version: '3.1.0' }, { capabilities });
  if (roots !== undefined) {
    client.setRequestHandler('roots/list', () => ({
      roots: roots.map((path) => ({ uri: `file://${path}` })),
    }));
  }
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, ROOTWARD_HOME: home };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'serve', ...args],
    env,
    cwd: '/',
    stderr: 'ignore',
  });
  await client.connect(transport);
  const close = (): Promise<void> => client.close();
  return {
    pid: transport.pid ?? 0,
    async call(tool, args_) {
      const { content, isError } = await client.callTool({ name: tool, arguments: { ...args_ } });
      const text = (content as readonly { readonly text?: string }[])
        .map((part) => part.text ?? '')
        .join('\n');
      return { refused: isError === true, text };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
