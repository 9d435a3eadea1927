import { type PageApi, ApiError } from '../../../src/web/page/live/api.ts';

export interface FakeApi {
  readonly api: PageApi;
  /** What was posted: path and body. */
  readonly posted: (readonly [path: string, body: object])[];
  readonly asked: (readonly [path: string, query: Readonly<Record<string, string>>])[];
}

type Answers = Readonly<Record<string, unknown>>;

/** A server that answers by path, for a test of the page. A path that it does not know is refused. */
export function fakeApi(answers: Answers = {}): FakeApi {
  const posted: FakeApi['posted'] = [];
  const asked: FakeApi['asked'] = [];
  const answer = (path: string): never => {
    if (!Object.hasOwn(answers, path)) {
      throw new ApiError({ code: 'DENIED', message: `No ${path}`, hint: '' }, 409);
    }
    return answers[path] as never;
  };
  return {
    posted,
    asked,
    api: {
      async get(path, query = {}) {
        asked.push([path, query]);
        return answer(path);
      },
      async post(path, body) {
        posted.push([path, body]);
        return answer(path);
      },
      enter: async () => {},
      url: (path) => `.${path}`,
    },
  };
}
