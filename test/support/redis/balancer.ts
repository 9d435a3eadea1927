import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface Target {
  readonly port: number;
}

/** One request that went through. */
export interface Passed {
  readonly target: Target;
  /** Of JSON-RPC, or of HTTP. */
  readonly method: string;
  readonly open: () => boolean;
  /** Breaks both sides, as a balancer does with a node that it gave up. */
  readonly cut: () => void;
}

export interface Balancer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly targets: Target[];
  readonly passed: readonly Passed[];
  /**
   * Looks at each node that often from now on, and for that many milliseconds at most. One that does not answer is
   * out of turn, and what is open to it is cut.
   */
  watch(milliseconds: number): void;
  /** The next request of this kind is taken and goes nowhere. */
  lose(method: string): void;
  /** The node that holds a request which is under way. */
  holderOf(method: string): Target | undefined;
}

/**
 * The simplest balancer: each request goes to the next node, and no client belongs to one. Only where no connection
 * can be made another node is tried; what was sent once is never sent again.
 */
export async function startBalancer(): Promise<Balancer> {
  const targets: Target[] = [];
  const passed: Passed[] = [];
  const lost = new Set<string>();
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;
  const giveUp = (target: Target): void => {
    targets.splice(targets.indexOf(target), 1);
    for (const each of passed) if (each.target === target) each.cut();
  };
  const lookAt = async (target: Target, milliseconds: number): Promise<void> => {
    if (!(await isThere(target, milliseconds)) && targets.includes(target)) giveUp(target);
  };
  const serve = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    order: readonly Target[],
  ): Promise<void> => {
    const body = await readAll(incoming);
    const method = methodOf(incoming, body);
    if (lost.delete(method)) outgoing.writeHead(202).end();
    else pass({ incoming, outgoing, body, method, passed }, order);
  };
  const server = createServer((incoming, outgoing) => {
    const order = targets.map((_, index) => targets[(turn + index) % targets.length]).filter(isTarget);
    turn += 1;
    void serve(incoming, outgoing, order);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/mcp`,
    targets,
    passed,
    watch(milliseconds) {
      timer = setInterval(() => {
        for (const target of targets) void lookAt(target, milliseconds);
      }, milliseconds);
    },
    lose: (method) => void lost.add(method),
    holderOf: (method) => passed.findLast((each) => each.method === method && each.open())?.target,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Passage {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly body: Buffer;
  readonly method: string;
  readonly passed: Passed[];
}

function pass(passage: Passage, [target, ...others]: readonly Target[]): void {
  const { incoming, outgoing, body, method: asked, passed } = passage;
  if (target === undefined) {
    outgoing.writeHead(502).end('502 Bad Gateway');
    return;
  }
  const { method, url: path, headers } = incoming;
  const inner = request({ host: '127.0.0.1', port: target.port, method, path, headers, agent: false });
  const cut = (): void => {
    inner.destroy();
    outgoing.destroy();
  };
  outgoing.once('close', () => inner.destroy());
  inner.once('socket', (socket) => {
    socket.once('connect', () => {
      passed.push({ target, method: asked, open: () => !outgoing.closed, cut });
    });
  });
  inner.once('response', (response) => {
    outgoing.writeHead(response.statusCode ?? 502, withoutHops(response.headers));
    outgoing.flushHeaders();
    response.pipe(outgoing);
    response.once('aborted', () => outgoing.destroy());
  });
  inner.once('error', (error: NodeJS.ErrnoException) => {
    if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy();
    else if (error.code === 'ECONNREFUSED') pass(passage, others);
    else outgoing.writeHead(502).end('502 Bad Gateway');
  });
  inner.end(body);
}

async function isThere({ port }: Target, milliseconds: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(milliseconds);
    return (await fetch(`http://127.0.0.1:${port}/healthz`, { signal })).ok;
  } catch {
    return false;
  }
}

/** What concerns one connection is not passed on. */
function withoutHops(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const { connection: _one, 'keep-alive': _two, 'transfer-encoding': _three, ...rest } = headers;
  return rest;
}

function methodOf({ method = '' }: IncomingMessage, body: Buffer): string {
  try {
    return (JSON.parse(body.toString()) as { method?: string }).method ?? 'response';
  } catch {
    return method;
  }
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function isTarget(target: Target | undefined): target is Target {
  return target !== undefined;
}
