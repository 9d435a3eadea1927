import type { ErrorView } from '../../wire/wire.ts';

/** A refusal by the server, with a hint. */
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
  /** Logs in with the secret of a link, or with the proof that this window kept. */
  readonly enter: (token: string | undefined) => Promise<void>;
  /** Returns a relative URL: everything is served next to the page, below its secret path. */
  readonly url: (path: string) => string;
}

const lost: ErrorView = {
  code: 'lost',
  message: 'The server does not answer',
  hint: 'Start it again in a terminal with rootward web',
};

/** Creates the client of the API. Each call sends the proof of this window. */
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

/** Storage for one window, until it is closed. */
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

/** Keeps the secret of this window over a reload. Only scripts of this page send it. */
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

/** Without storage the page still works, but a reload needs a new link. */
function ownStorage(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}
