import type { ErrorView } from '../../wire/wire.ts';

/** The server said no, and what to do. */
export class ApiError extends Error {
  readonly view: ErrorView;
  readonly status: number;

  constructor(view: ErrorView, status: number) {
    super(view.message);
    this.view = view;
    this.status = status;
  }
}

export interface PageApi {
  readonly get: <Result>(
    path: string,
    query?: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ) => Promise<Result>;
  readonly post: <Result>(path: string, body: object) => Promise<Result>;
  /** Comes in with the secret of a link, or comes back with what this window has from before. */
  readonly enter: (token: string | undefined) => Promise<void>;
  /** What a browser can ask for by itself: everything lies beside the page, below a path that only it knows. */
  readonly url: (path: string) => string;
}

const lost: ErrorView = {
  code: 'lost',
  message: 'The server does not answer',
  hint: 'Start it again in a terminal with rootward web',
};

/** Calls of the page. Each brings the proof that only this window has. */
export function createApi(fetchFrom: typeof fetch = fetch, kept: KeptProof = keepProof()): PageApi {
  const url = (path: string): string => `.${path}`;
  const send = async <Result>(path: string, init: RequestInit): Promise<Result> => {
    const headers = new Headers(init.headers);
    headers.set('x-rootward-proof', kept.read());
    const response = await fetchFrom(url(path), { ...init, headers, credentials: 'same-origin' }).catch(
      (error: unknown) => {
        if (error instanceof DOMException && error.name === 'AbortError') throw error;
        throw new ApiError(lost, 0);
      },
    );
    const body = (await response.json()) as Result & { readonly error?: ErrorView };
    if (!response.ok) throw new ApiError(body.error ?? lost, response.status);
    return body;
  };
  const post = <Result>(path: string, body: object): Promise<Result> =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    get: (path, query = {}, signal) => {
      const text = new URLSearchParams(query).toString();
      return send(text === '' ? path : `${path}?${text}`, signal === undefined ? {} : { signal });
    },
    post,
    async enter(token) {
      if (token === undefined) await send('/api/session', {});
      else kept.keep((await post<{ proof: string }>('/api/session', { token })).proof);
    },
    url,
  };
}

/** The secret of this window. */
export interface KeptProof {
  /** Empty if there is none. */
  readonly read: () => string;
  readonly keep: (proof: string) => void;
}

const key = 'rootward proof';

/** What a browser has to keep something for one window, until it is closed. */
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

/** Keeps the secret of this window over a reload. No request carries it unless a script of this page says so. */
export function keepProof(storage: Storage | undefined = ownStorage()): KeptProof {
  let proof = storage?.getItem(key) ?? '';
  return {
    read: () => proof,
    keep(given) {
      proof = given;
      storage?.setItem(key, given);
    },
  };
}

/** A browser that keeps nothing still shows the page; a reload then needs a new link. */
function ownStorage(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}
