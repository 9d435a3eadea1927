import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Kit } from '../tools/ready/kit.ts';
import type { Records } from './open-records.ts';
import { reserveStdout } from './reserve-stdout.ts';
import { untilEnded } from './until-ended.ts';

/** Speaks MCP on stdin and stdout until one of them ends. Nothing else may write to stdout from here on. */
export async function serveStdin(kit: Kit, { log }: Records): Promise<void> {
  const transport = new StdioServerTransport(process.stdin, reserveStdout(process));
  const opened: { close(): Promise<void> }[] = [];
  const handle = serveStdio(
    () => {
      const { server, rootward } = kit.createServer();
      opened.push(rootward);
      return server;
    },
    { transport, onerror: ({ message }) => log({ kind: 'wire', message }) },
  );
  await untilEnded(closing(transport));
  await handle.close();
  await Promise.all(opened.map((rootward) => rootward.close()));
}

/** The end of stdin, a stdout that nobody reads, a message that is too long: all of them close the transport. */
function closing(transport: StdioServerTransport): Promise<void> {
  const { onclose } = transport;
  return new Promise((resolve) => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
}
