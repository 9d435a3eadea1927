import { describe, expect, expectTypeOf, test } from 'vitest';
import { sampleRoot } from '../../../test/support/trees/sample-root.ts';
import {
  type AskExposure,
  RootsConsent,
  type ConsentOptions,
  type ExposureAnswer,
  type ExposureQuestion,
} from './roots-consent.ts';
import type { Grant } from '../store/stored-root.ts';

const server = { name: 'search', tier: 'remote', fingerprint: 'aa' } as const;
const [app, docs] = [sampleRoot(), sampleRoot({ name: 'docs' })];

interface Kept {
  readonly consent: RootsConsent;
  readonly grants: readonly Grant[];
  readonly heard: readonly string[];
}

function create(ask: ConsentOptions['ask'], changes: Partial<ConsentOptions> = {}): Kept {
  const grants: Grant[] = [];
  const heard: string[] = [];
  const consent = new RootsConsent({
    server,
    ask,
    patience: 1_000,
    now: () => new Date('2026-01-01T00:00:00.000Z'),
    remember: async (_root, grant) => grants.push(grant) > 0,
    onAnswer: async ({ name }, answer) => void heard.push(`${name} ${answer}`),
    ...changes,
  });
  return { consent, grants, heard };
}

function answersOf({ answers }: RootsConsent): readonly (readonly [string, string])[] {
  return [...answers].map(([path, { answer }]) => [path, answer] as const);
}

describe('an answer', () => {
  test('for one time waits until it is used, and ends with that', async () => {
    const { consent, grants, heard } = create(() => 'once');
    const { once } = await consent.ask([app]);
    expect([...once]).toMatchObject([['/srv/app', { answer: 'once' }]]);
    expect([answersOf(consent), grants, heard]).toEqual([[['/srv/app', 'once']], [], ['app once']]);
    consent.spend();
    expect(answersOf(consent)).toEqual([]);
  });

  test('for this session is not stored', async () => {
    const { consent, grants } = create(() => 'session');
    expect((await consent.ask([app])).once.size).toBe(0);
    consent.spend();
    expect([answersOf(consent), grants]).toEqual([[['/srv/app', 'session']], []]);
  });

  test.each(['always', 'never'] as const)('for ever is stored with date and server: %s', async (answer) => {
    const { consent, grants } = create(() => answer);
    await consent.ask([app]);
    expect(grants).toEqual([
      { server: 'search', fingerprint: 'aa', answer, date: '2026-01-01T00:00:00.000Z' },
    ]);
    // It counts because it is stored, so revoking it there must be enough.
    expect(consent.answers.size).toBe(0);
  });

  test('may expire, and may be limited to some operations', async () => {
    const until = new Date('2026-02-01T00:00:00.000Z');
    const { consent, grants } = create(() => ({ answer: 'always', operations: ['list'], until }));
    await consent.ask([app]);
    expect(grants).toMatchObject([{ operations: ['list'], until: '2026-02-01T00:00:00.000Z' }]);
  });

  test('that cannot be stored holds for this session', async () => {
    const { consent } = create(
      () =>
        new Map([
          ['app', 'always'],
          ['docs', 'never'],
        ]),
      { remember: async () => false },
    );
    await consent.ask([app, docs]);
    expect(answersOf(consent)).toEqual([
      ['/srv/app', 'session'],
      ['/srv/docs', 'never'],
    ]);
  });

  test.each(['always', 'session', 'once'] as const)(
    'keeps its limits where only this session knows: %s',
    async (answer) => {
      const until = new Date('2026-02-01T00:00:00.000Z');
      const said = { answer, operations: ['read'], until } as const;
      const { consent } = create(() => said, { remember: async () => false });
      await consent.ask([app]);
      expect(consent.answers.get('/srv/app')).toMatchObject({ operations: ['read'], until });
    },
  );

  test('belongs to one entry of the store: a root that is removed and added again is another', async () => {
    const { consent } = create(() => 'session');
    await consent.ask([app, docs]);
    consent.retain([app, docs]);
    expect(answersOf(consent)).toHaveLength(2);
    consent.retain([app, { ...docs, added: '2026-03-01T00:00:00.000Z' }]);
    expect(answersOf(consent)).toEqual([['/srv/app', 'session']]);
    expect([consent.wasAsked(app), consent.wasAsked(docs)]).toEqual([true, false]);
    consent.retain([]);
    expect([answersOf(consent), consent.wasAsked(app)]).toEqual([[], false]);
  });

  test('may differ for each root; a root without an answer is refused', async () => {
    const { consent, heard } = create(() => new Map([['app', 'session']]));
    await consent.ask([app, docs]);
    expect(answersOf(consent)).toEqual([
      ['/srv/app', 'session'],
      ['/srv/docs', 'dismissed'],
    ]);
    expect(heard).toEqual(['app session', 'docs dismissed']);
  });

  test.each([
    undefined,
    null,
    true,
    'yes',
    1,
    { answer: 'yes' },
    {},
    { answer: 'session', operations: 'read' },
    { answer: 'session', operations: ['eat'] },
    { answer: 'session', until: 'tomorrow' },
    { answer: 'always', until: new Date('nonsense') },
  ])('that is invalid is a refusal: %j', async (said) => {
    // A program without a compiler can return anything.
    const { consent } = create(() => said as ExposureAnswer);
    await consent.ask([app]);
    expect(answersOf(consent)).toEqual([['/srv/app', 'dismissed']]);
  });
});

test('a question that answers in another shape does not compile', () => {
  expectTypeOf(() => 'session' as const).toExtend<AskExposure>();
  expectTypeOf(async () => ({ answer: 'always', operations: ['read'] }) as const).toExtend<AskExposure>();
  expectTypeOf(() => new Map([['app', 'never' as const]])).toExtend<AskExposure>();
  expectTypeOf(() => undefined).toExtend<AskExposure>();
  expectTypeOf(() => true).not.toExtend<AskExposure>();
  expectTypeOf(() => 'yes' as const).not.toExtend<AskExposure>();
  expectTypeOf(async () => ({ allow: true })).not.toExtend<AskExposure>();
  expectTypeOf(() => ({ answer: 'once', operations: ['eat'] }) as const).not.toExtend<AskExposure>();
  expectTypeOf(() => ({ app: 'once' }) as const).not.toExtend<AskExposure>();
});

describe('a question', () => {
  test('names the server and the roots', async () => {
    let question: ExposureQuestion | undefined;
    const { consent } = create((asked) => {
      question = asked;
    });
    await consent.ask([app, docs]);
    expect(question).toMatchObject({ server, roots: [app, docs] });
    expect(question?.signal.aborted).toBe(true);
  });

  test('that fails is a refusal', async () => {
    const { consent } = create(() => Promise.reject(new Error('no window')));
    await consent.ask([app]);
    expect(answersOf(consent)).toEqual([['/srv/app', 'dismissed']]);
  });

  test('that is not answered in time is a refusal, and its signal aborts', async () => {
    let aborted: Promise<unknown> | undefined;
    const { consent } = create(
      ({ signal }) => {
        aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
        return new Promise(() => {});
      },
      { patience: 20 },
    );
    const holding = setInterval(() => {}, 1_000);
    await consent.ask([app]);
    clearInterval(holding);
    await aborted;
    expect(answersOf(consent)).toEqual([['/srv/app', 'dismissed']]);
  });

  test('is asked once for concurrent requests', async () => {
    let count = 0;
    const { consent } = create(async () => {
      count += 1;
      return 'session' as const;
    });
    await Promise.all([consent.ask([app]), consent.ask([app])]);
    expect(count).toBe(1);
    await consent.ask([docs]);
    expect(count).toBe(2);
  });

  test('ends when it is closed, and changes nothing', async () => {
    const { consent, heard } = create(() => new Promise(() => {}));
    const asking = consent.ask([app]);
    consent.close();
    await asking;
    expect([consent.answers.size, heard]).toEqual([0, []]);
  });

  test('whose answer cannot be recorded grants nothing', async () => {
    const { consent, grants } = create(() => 'always', { onAnswer: () => Promise.reject(new Error('full')) });
    await expect(consent.ask([app])).rejects.toThrow('full');
    expect(grants).toEqual([]);
  });
});
