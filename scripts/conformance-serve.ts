/** The shipped `rootward serve --http` behind a proxy that adds its token, which the official suite cannot send. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConformanceServer } from './conformance-server.ts';

/** Starts the built command in a project of its own. */
export async function startShippedServer(): Promise<ConformanceServer> {
  const place = mkdtempSync(join(tmpdir(), 'rootward-conformance-'));
  writeFileSync(join(place, 'package.json'), '{}');
  const env = { PATH: process.env['PATH'], ROOTWARD_HOME: join(place, '.own') };
  const child = spawn(process.execPath, ['.build/src/cli/main.js', 'serve', place, '--http', ':0'], { env });
  const { url, token } = await readStart(child);
  const proxy = createServer((incoming, response) => forward(incoming, response, { url, token }));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${url.pathname}`,
    close() {
      proxy.closeAllConnections();
      proxy.close();
      child.kill();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

interface StartedServer {
  readonly url: URL;
  readonly token: string;
}

/** Waits until it says where it listens, and with which token. */
function readStart(child: ChildProcess): Promise<StartedServer> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.once('close', () => reject(new Error(`It does not listen: ${said}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [, url] = /listening on (\S+)/.exec(said) ?? [];
      const [, token] = /shown once: (\S+)\n/.exec(said) ?? [];
      if (url !== undefined && token !== undefined) resolve({ url: new URL(url), token });
    });
  });
}

/** Forwards a request. Only the proxy's own name is replaced, so that the server judges foreign ones. */
function forward(incoming: IncomingMessage, response: ServerResponse, { url, token }: StartedServer): void {
  const own = `:${incoming.socket.localPort}`;
  const { host = '' } = incoming.headers;
  const isOwn = host === `127.0.0.1${own}` || host === `localhost${own}`;
  const headers = {
    ...incoming.headers,
    host: isOwn ? url.host : host,
    authorization: `Bearer ${token}`,
  };
  const { method, url: path } = incoming;
  const onward = request({ host: url.hostname, port: url.port, path, method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  incoming.pipe(onward);
}
