/** The shipped `rootward serve --http` behind a proxy that adds its token, which the official suite cannot send. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ConformanceServer } from './conformance-server.ts';
import { run } from './install.ts';

export interface ShippedOptions {
  /** Takes roots out of what the suite says it can answer. */
  readonly withoutRoots?: boolean;
}

/** Starts the built command with a project of its own, which the person keeps as a root. */
export async function startShippedServer(options: ShippedOptions = {}): Promise<ConformanceServer> {
  const place = mkdtempSync(join(tmpdir(), 'rootward-conformance-'));
  const project = join(place, 'app');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{}');
  const env = { PATH: process.env['PATH'], ROOTWARD_HOME: join(place, 'own') };
  const command = '.build/src/cli/main.js';
  run(process.execPath, [command, 'roots', 'add', project], env);
  // Only a server that follows the person's roots announces changed tools.
  const child = spawn(process.execPath, [command, 'serve', '--http', ':0', '--store'], { env });
  const started = await readStart(child);
  const proxy = createServer(
    (incoming, response) => void forward(incoming, response, { ...started, ...options }),
  );
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${started.url.pathname}`,
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

/** Forwards a request. Only the proxy's own address is replaced, so that the server judges foreign ones. */
async function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  { url, token, withoutRoots = false }: StartedServer & ShippedOptions,
): Promise<void> {
  const own = `127.0.0.1:${incoming.socket.localPort}`;
  const { host = '', origin } = incoming.headers;
  const body = withoutRoots ? declareNoRoots(await text(incoming)) : await text(incoming);
  const headers = {
    ...incoming.headers,
    host: host === own ? url.host : host,
    ...(origin !== undefined && { origin: origin === `http://${own}` ? url.origin : origin }),
    ...(body !== '' && { 'content-length': Buffer.byteLength(body) }),
    authorization: `Bearer ${token}`,
  };
  const { method, url: path } = incoming;
  const onward = request({ host: url.hostname, port: url.port, path, method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  onward.end(body);
}

function declareNoRoots(body: string): string {
  return JSON.stringify(JSON.parse(body, (key, value: unknown) => (key === 'roots' ? undefined : value)));
}
