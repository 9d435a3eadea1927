import { request, type IncomingHttpHeaders } from 'node:http';
import { openWeb, type Web, type WebOptions } from '../../../src/web/index.ts';
import { type TempTree, tempTree } from '../../../src/testing/temp-tree.ts';

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
  const options = { port, path, method, headers: { ...host, ...type, ...headers }, timeout: 20_000 };
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

/** Where the API of a server is: below a path that is in its links alone. */
export function prefixOf(web: Web): string {
  return new URL(web.link()).pathname.slice(0, -1);
}

export interface SignedIn {
  readonly cookie: string;
  readonly proof: string;
  /** What every request of the page brings. */
  readonly headers: { readonly cookie: string; readonly 'x-rootward-proof': string };
  readonly get: (path: string) => Promise<unknown>;
  readonly post: (path: string, body: unknown) => Promise<Received>;
}

/** What the page does first; with a cookie, in a browser that is in already. */
export async function signIn(web: Web, before: Readonly<Record<string, string>> = {}): Promise<SignedIn> {
  const { hash, pathname } = new URL(web.link());
  const body = { token: hash.slice(1) };
  const entry = `${pathname}api/session`;
  const entered = await call(web.port, entry, { method: 'POST', body, headers: before });
  const cookie = entered.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const { proof } = JSON.parse(entered.text) as { proof: string };
  const headers = { cookie, 'x-rootward-proof': proof };
  const at = (path: string): string => `${pathname.slice(0, -1)}${path}`;
  return {
    cookie,
    proof,
    headers,
    get: async (path) => JSON.parse((await call(web.port, at(path), { headers })).text) as unknown,
    post: (path, given) => call(web.port, at(path), { method: 'POST', body: given, headers }),
  };
}
