import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { homedir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { access } from '../../../src/access.ts';
import { createMemorySink } from '../../../src/audit/sink.ts';
import { openRootStore } from '../../../src/client/index.ts';
import { toFileUri } from '../../../src/path/file-uri.ts';
import { parseRoots } from '../../../src/path/root.ts';
import { parsePolicy } from '../../../src/policy/rules/policy.ts';
import { settle } from '../../../src/policy/settle.ts';
import { askOnPage } from '../../../src/web/processes/page-consent.ts';
import { announce, type ProcessAnnouncement, type PageQuestion } from '../../../src/web/processes/running.ts';
import type { ProcessView, RootsView } from '../../../src/web/wire/wire.ts';
import { openWorkspace } from '../../../src/workspace/workspace.ts';
import {
  call,
  openOwnWeb,
  type OwnWeb,
  prefixOf,
  type SignedIn,
  signIn,
} from '../../support/browser/open-page.ts';

const entries = ['work/shop/a.txt', 'work/docs/', 'elsewhere/docs/', 'elsewhere/secret.txt'];

function asked(own: OwnWeb, more: Partial<PageQuestion> = {}): PageQuestion {
  return {
    kind: 'access',
    who: 'Editor',
    operation: 'write',
    path: 'a.txt',
    roots: ['docs'],
    places: [own.tree.at('work/docs')],
    server: 'files',
    session: true,
    follows: true,
    reason: 'it asks',
    until: new Date(Date.now() + 60_000).toISOString(),
    ...more,
  };
}

function announceServer({ options }: OwnWeb): Promise<ProcessAnnouncement> {
  return announce(options.state, { command: 'serve', version: '1', directory: '/', connections: [] });
}

/** The first question that the page is shown. */
async function firstQuestion({ get: look }: SignedIn) {
  const find = async () => {
    const running = (await look('/api/running')) as readonly ProcessView[];
    return running.flatMap(({ id, questions }) =>
      questions.map((question) => ({ process: id, question })),
    )[0];
  };
  await expect.poll(find, { timeout: 20_000 }).toBeDefined();
  const found = await find();
  if (found === undefined) throw new Error('there is no question');
  return found;
}

async function permissionsOf(page: SignedIn, path: string) {
  const { roots } = (await page.get('/api/roots')) as RootsView;
  return roots.find((root) => root.path === path);
}

describe('an answer for good', () => {
  test.each([
    ['always', ['read', 'list', 'write']],
    ['never', ['read', 'list']],
  ] as const)('%s is kept for that root and that server alone', async (answer, allow) => {
    await using own = await openOwnWeb({ entries });
    const page = await signIn(own.web);
    await page.post('/api/roots/add', { path: own.tree.at('work/docs') });
    await page.post('/api/roots/add', { path: own.tree.at('work/shop') });
    await using server = await announceServer(own);
    const reply = server.ask(asked(own), AbortSignal.timeout(10_000));
    const { process, question } = await firstQuestion(page);
    expect(question.choices.find((choice) => choice.answer === answer)).toMatchObject({
      covers: expect.stringContaining('for every client of the server "files"') as string,
      kept: true,
    });
    const { text } = await page.post('/api/consent', { process, question: question.id, answer });
    expect(JSON.parse(text)).toEqual({ late: false, kept: true });
    expect(await reply).toEqual({ answer, kept: true });
    const docs = await permissionsOf(page, own.tree.at('work/docs'));
    expect(docs?.servers['files']).toMatchObject({ allow, ask: [] });
    expect(docs?.permissions.allow).toEqual(['read', 'list']);
    expect((await permissionsOf(page, own.tree.at('work/shop')))?.servers).toEqual({});
  });

  test('changes no other root of the same name', async () => {
    await using own = await openOwnWeb({ entries, bounded: false });
    const page = await signIn(own.web);
    await page.post('/api/roots/add', { path: own.tree.at('elsewhere/docs') });
    await using server = await announceServer(own);
    const reply = server.ask(asked(own), AbortSignal.timeout(10_000));
    const { process, question } = await firstQuestion(page);
    expect(question.choices.map((choice) => choice.answer)).toEqual(['once', 'session', 'never']);
    const given = { process, question: question.id, answer: 'always' };
    expect(JSON.parse((await page.post('/api/consent', given)).text)).toEqual({ late: false, kept: false });
    expect(await reply).toEqual({ answer: 'always', kept: false });
    const { servers, permissions } = (await permissionsOf(page, own.tree.at('elsewhere/docs'))) ?? {};
    expect([servers, permissions?.allow]).toEqual([{}, ['read', 'list']]);
  });

  test('is not offered by a server that goes by nothing kept', async () => {
    await using own = await openOwnWeb({ entries });
    const page = await signIn(own.web);
    await page.post('/api/roots/add', { path: own.tree.at('work/docs') });
    await using server = await announceServer(own);
    void server.ask(asked(own, { follows: false }), AbortSignal.timeout(10_000));
    const { question } = await firstQuestion(page);
    expect(question.choices.map(({ answer, kept }) => [answer, kept])).toEqual([
      ['once', false],
      ['session', false],
      ['never', false],
    ]);
  });
});

test('of two windows that answer at once one is late, and only the other counts', async () => {
  await using own = await openOwnWeb({ entries });
  const [one, other] = [await signIn(own.web), await signIn(own.web)];
  await one.post('/api/roots/add', { path: own.tree.at('work/docs') });
  await using server = await announceServer(own);
  const reply = server.ask(asked(own), AbortSignal.timeout(10_000));
  const { process, question } = await firstQuestion(one);
  const given = { process, question: question.id };
  const answers = await Promise.all([
    one.post('/api/consent', { ...given, answer: 'once' }),
    other.post('/api/consent', { ...given, answer: 'session' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const late = answers.map(({ text }) => (JSON.parse(text) as { late: boolean }).late);
  expect(new Set(late)).toEqual(new Set([false, true]));
  expect((await reply)?.answer).toBe(late[0] === true ? 'session' : 'once');
});

describe('windows', () => {
  test('count as visible when the page says so, and until its stream is gone', async () => {
    await using own = await openOwnWeb();
    const { cookie, post } = await signIn(own.web);
    await using server = await announceServer(own);
    expect(await server.findPage()).toBeUndefined();
    const stream = get({
      host: '127.0.0.1',
      port: own.web.port,
      path: `${prefixOf(own.web)}/api/events`,
      headers: { cookie, host: `127.0.0.1:${own.web.port}` },
    }).on('error', () => {});
    const [response] = (await once(stream, 'response')) as [IncomingMessage];
    response.on('error', () => {});
    const [hello] = (await once(response.setEncoding('utf8'), 'data')) as [string];
    const id = /"stream":"([^"]+)"/.exec(hello)?.[1];
    await expect.poll(() => server.findPage()).toBe('hidden');
    await post('/api/watching', { stream: id, visible: 1, hidden: 2 });
    await expect.poll(() => server.findPage()).toBe('visible');
    await post('/api/watching', { stream: id, visible: 0, hidden: 3 });
    await expect.poll(() => server.findPage()).toBe('hidden');
    expect((await post('/api/watching', { stream: 'gone', visible: 1 })).status).toBe(200);
    stream.destroy();
    await expect.poll(() => server.findPage()).toBeUndefined();
  });
});

test('the page asks about the place behind a link, and the yes counts for no other', async () => {
  await using own = await openOwnWeb({
    entries: [...entries, 'work/docs/real', 'work/docs/other', 'work/docs/l => real'],
  });
  const page = await signIn(own.web);
  await using server = await announceServer(own);
  const stream = get({
    host: '127.0.0.1',
    port: own.web.port,
    path: `${prefixOf(own.web)}/api/events`,
    headers: { cookie: page.cookie, host: `127.0.0.1:${own.web.port}` },
  }).on('error', () => {});
  await once(stream, 'response');
  await expect.poll(() => server.findPage()).toBe('hidden');
  const { ask } = askOnPage({ announced: async () => server });
  const { roots } = parseRoots([{ uri: toFileUri(own.tree.at('work/docs')) }]);
  await using workspace = await openWorkspace(roots);
  const audit = createMemorySink();
  const scope = { workspace, policy: parsePolicy({ ask: ['write'] }), audit, ask };
  const request = { operation: 'write', path: 'l', tool: 'write_file', detail: '1 byte' } as const;
  const written = access(scope, request, ({ boundary, relative }) => boundary.write(relative, 'x'));
  written.catch(() => {});
  const { process, question } = await firstQuestion(page);
  expect(question).toMatchObject({ path: 'l', real: 'real', tool: 'write_file', detail: '1 byte' });
  rmSync(own.tree.at('work/docs/l'));
  symlinkSync('other', own.tree.at('work/docs/l'));
  await page.post('/api/consent', { process, question: question.id, answer: 'once' });
  await expect(written).rejects.toMatchObject({ code: 'DENIED' });
  expect(readFileSync(own.tree.at('work/docs/other'), 'utf8')).toBe('work/docs/other');
  expect(audit.entries()).toEqual([expect.objectContaining({ verdict: 'deny', outcome: 'refused' })]);
  stream.destroy();
});

test('a page that is closed means no, after its time', async () => {
  await using own = await openOwnWeb({ entries });
  const page = await signIn(own.web);
  const server = await announceServer(own);
  const { ask } = askOnPage({ announced: async () => server });
  const stream = get({
    host: '127.0.0.1',
    port: own.web.port,
    path: `${prefixOf(own.web)}/api/events`,
    headers: { cookie: page.cookie, host: `127.0.0.1:${own.web.port}` },
  }).on('error', () => {});
  await once(stream, 'response');
  await expect.poll(() => server.findPage()).toBe('hidden');
  await using workspace = await openWorkspace(
    parseRoots([{ uri: toFileUri(own.tree.at('work/docs')) }]).roots,
  );
  const decision = { verdict: 'ask', rule: 'ask', reason: 'it asks' } as const;
  const request = { operation: 'write', path: own.tree.at('work/docs/a') } as const;
  const settled = settle(decision, request, workspace.locate(request.path), {
    ask,
    patience: 1_000,
    workspace,
    policy: parsePolicy({ ask: ['write'] }),
  });
  const { question } = await firstQuestion(page);
  expect(question.path).toBe(request.path);
  stream.destroy();
  expect(await settled).toMatchObject({ verdict: 'deny', rule: 'ask:no' });
  await server.close();
});

describe('roots', () => {
  test('an operation is allowed, asked about or denied, for all or for one server', async () => {
    await using own = await openOwnWeb({ entries });
    const page = await signIn(own.web);
    const root = own.tree.at('work/docs');
    await page.post('/api/roots/add', { path: root });
    const write = async (state: string, server?: string) => {
      await page.post('/api/roots/permit', { root, operation: 'write', state, ...(server && { server }) });
      const view = await permissionsOf(page, root);
      const { allow = [], ask = [] } = (server ? view?.servers[server] : view?.permissions) ?? {};
      return [allow.includes('write'), ask.includes('write')];
    };
    expect(await write('ask')).toEqual([false, true]);
    expect(await write('allow')).toEqual([true, false]);
    expect(await write('ask')).toEqual([false, true]);
    expect(await write('ask', 'files')).toEqual([false, true]);
    expect(await write('deny')).toEqual([false, false]);
  });

  test('each one that was removed comes back by itself', async () => {
    await using own = await openOwnWeb({ entries });
    const page = await signIn(own.web);
    const [docs, shop] = [own.tree.at('work/docs'), own.tree.at('work/shop')];
    for (const path of [docs, shop]) await page.post('/api/roots/add', { path });
    await page.post('/api/roots/permit', { root: docs, operation: 'write', state: 'allow' });
    const remove = async (root: string) => JSON.parse((await page.post('/api/roots/remove', { root })).text);
    const [first] = [await remove(docs), await remove(shop)];
    const { undo } = first as { undo: string };
    expect((await page.post('/api/roots/undo', { undo })).status).toBe(200);
    const { roots } = (await page.get('/api/roots')) as RootsView;
    expect(roots.map(({ path, permissions }) => [path, permissions.allow])).toEqual([
      [docs, ['read', 'list', 'write']],
    ]);
    expect((await page.post('/api/roots/undo', { undo })).status).toBe(409);
  });

  test('a path from the home can be added and looked at', async () => {
    await using own = await openOwnWeb({ bounded: false });
    const page = await signIn(own.web);
    expect(await page.get('/api/look?path=~')).toMatchObject({ path: homedir() });
    expect(await page.get(`/api/look?path=${encodeURIComponent('~/no such folder here')}`)).toMatchObject({
      findings: [{ severity: 'error' }],
    });
  });
});

test('outside of what is allowed a look says the same about what is there and what is not', async () => {
  await using own = await openOwnWeb({ entries: [...entries, 'work/way => ../elsewhere'] });
  const page = await signIn(own.web);
  const look = async (path: string) => {
    const { findings } = (await page.get(`/api/look?path=${encodeURIComponent(own.tree.at(path))}`)) as {
      findings: readonly { code: string; severity: string; message: string }[];
    };
    return findings.map(({ code, severity }) => [code, severity]);
  };
  const refused = [['OUTSIDE_ROOTS', 'error']];
  expect(await look('elsewhere/docs')).toEqual(refused);
  expect(await look('elsewhere/secret.txt')).toEqual(refused);
  expect(await look('elsewhere/nothing here')).toEqual(refused);
  expect(await look('.')).toEqual(refused);
  expect(await look('work/way/docs')).toEqual(await look('work/way/nothing here'));
  expect((await look('work/way/docs')).map(([, severity]) => severity)).toEqual(['error']);
  expect(await look('work/docs')).toEqual([]);
});

test('an export ends where the page was paused', async () => {
  await using own = await openOwnWeb();
  const page = await signIn(own.web);
  mkdirSync(own.options.log, { recursive: true });
  const line = (path: string): string =>
    `{"time":"2026-01-01T00:00:00.000Z","operation":"read","path":"${path}","verdict":"allow","rule":"r","outcome":"done","duration":1,"revision":1}\n`;
  appendFileSync(`${own.options.log}/audit.jsonl`, line('first') + line('second'));
  const total = async () => ((await page.get('/api/audit')) as { total: number; upto: number }).upto;
  await expect.poll(total).toBe(2);
  appendFileSync(`${own.options.log}/audit.jsonl`, line('third'));
  await expect.poll(total).toBe(3);
  const lines = async (query: string) => {
    const path = `${prefixOf(own.web)}/api/audit/export${query}`;
    const { text } = await call(own.web.port, path, { headers: { cookie: page.cookie } });
    return text.trimEnd().split('\n').length;
  };
  expect([await lines('?upto=2'), await lines('')]).toEqual([2, 3]);
});

test('what is tried as a running server goes by its rules and the project of its client', async () => {
  await using own = await openOwnWeb({ entries });
  const page = await signIn(own.web);
  await page.post('/api/roots/add', { path: own.tree.at('work/shop') });
  await page.post('/api/roots/add', { path: own.tree.at('work/docs') });
  const time = new Date().toISOString();
  await using server = await announce(own.options.state, {
    command: 'serve',
    version: '1',
    directory: '/',
    server: 'rootward',
    rules: { policy: { preset: 'write-in-project' }, limited: false, follows: false },
    connections: [
      {
        id: '1',
        transport: 'stdio',
        declared: { roots: false, listChanged: false, elicitation: false },
        changes: 0,
        since: time,
        seen: time,
        roots: ['shop'],
        places: [own.tree.at('work/shop')],
        project: { name: 'shop', location: own.tree.at('work/shop') },
        trail: [],
      },
    ],
  });
  const write = async (more: object) => {
    const body = { path: 'a.txt', operation: 'write', ...more };
    return JSON.parse((await page.post('/api/try', body)).text) as { verdict: string; rule: string };
  };
  await expect
    .poll(async () => ((await page.get('/api/running')) as readonly ProcessView[]).map(({ id }) => id))
    .toContain(server.id);
  expect(await write({ process: server.id })).toMatchObject({ verdict: 'allow', root: 'shop' });
  expect(await write({})).toMatchObject({ verdict: 'deny', rule: 'unreadable' });
  expect(await write({ root: own.tree.at('work/docs') })).toMatchObject({ verdict: 'deny', root: 'docs' });
});

test('what the page says about itself: how to start it again, and how to connect', async () => {
  await using plain = await openOwnWeb();
  const alone = await signIn(plain.web);
  expect(await alone.get('/api/about')).toMatchObject({
    again: `rootward web --port ${plain.web.port}`,
    connect: false,
  });
  expect((await alone.post('/api/connect', {})).status).toBe(409);
  const connect = { url: 'http://127.0.0.1:1/mcp', tokenIs: 'there', config: '{}' };
  await using own = await openOwnWeb({ again: (port) => `again ${port}`, connect: () => connect });
  const page = await signIn(own.web);
  expect(await page.get('/api/about')).toMatchObject({ again: `again ${own.web.port}`, connect: true });
  expect(JSON.parse((await page.post('/api/connect', {})).text)).toEqual(connect);
});

test('a store that others change is what the page shows', async () => {
  await using own = await openOwnWeb({ entries });
  const page = await signIn(own.web);
  await using store = await openRootStore({ file: own.options.file ?? '' });
  await store.add(own.tree.at('work/docs'));
  const names = async () => ((await page.get('/api/roots')) as RootsView).roots.map(({ name }) => name);
  await expect.poll(names).toEqual(['docs']);
});
