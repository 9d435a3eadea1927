import { request, type IncomingHttpHeaders } from 'node:http';
import { openWeb, type Web, type WebOptions } from '../../src/web/index.ts';
import { type TempTree, tempTree } from '../../src/testing/temp-tree.ts';

/** A page server with a home of its own. */
export interface OwnWeb extends AsyncDisposable {
  readonly web: Web;
  /** `home/` is its state, `work/` what may be looked through. */
  readonly tree: TempTree;
  readonly options: WebOptions;
}

export interface OwnWebOptions extends Partial<WebOptions> {
  readonly entries?: readonly string[];
}

export async function openOwnWeb({ entries = [], ...more }: OwnWebOptions = {}): Promise<OwnWeb> {
  const tree = tempTree(['home/', 'work/', 'page/index.html = <!doctype html>', ...entries]);
  const options: WebOptions = {
    file: tree.at('home/roots.jsonc'),
    log: tree.at('home/log'),
    state: tree.at('home/state'),
    tops: [tree.at('work')],
    bounded: true,
    version: '0.0.0',
    page: tree.at('page'),
    report: (text) => process.stderr.write(`${text}\n`),
    ...more,
  };
  const web = await openWeb(options);
  return {
    web,
    tree,
    options,
    async [Symbol.asyncDispose]() {
      await web.close();
      tree[Symbol.dispose]();
    },
  };
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A request with exactly these headers: `fetch` would not let a test forge them. */
export function call(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<Received> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const type = payload === undefined ? {} : { 'content-type': 'application/json' };
  const host = { host: `127.0.0.1:${port}` };
  const options = { port, path, method, headers: { ...host, ...type, ...headers }, timeout: 5_000 };
  return new Promise((resolve, reject) => {
    const sending = request({ host: '127.0.0.1', ...options }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sending.on('error', reject).on('timeout', () => sending.destroy(new Error('No answer')));
    sending.end(payload);
  });
}

export interface SignedIn {
  readonly cookie: string;
  readonly proof: string;
  readonly get: (path: string) => Promise<unknown>;
  readonly post: (path: string, body: unknown) => Promise<Received>;
}

/** What the page does first. */
export async function signIn(web: Web): Promise<SignedIn> {
  const token = new URL(web.link()).hash.slice(1);
  const { headers, text } = await call(web.port, '/api/session', { method: 'POST', body: { token } });
  const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const { proof } = JSON.parse(text) as { proof: string };
  return {
    cookie,
    proof,
    get: async (path) => JSON.parse((await call(web.port, path, { headers: { cookie } })).text) as unknown,
    post: (path, body) =>
      call(web.port, path, { method: 'POST', body, headers: { cookie, 'x-rootward-proof': proof } }),
  };
}
