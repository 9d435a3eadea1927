import { expect, test } from 'vitest';
import { wrappedServer } from '../../../test/support/peers/wrap-here.ts';
import { sampleRoot } from '../../../test/support/trees/sample-root.ts';
import { eventually } from '../../../test/support/http/eventually.ts';
import { readMapping } from '../map/read-mapping.ts';
import { createPathMap, type PathMapping } from '../map/path-map.ts';
import { frameOf, messageIn } from '../relay/wire-frame.ts';
import type { LaunchTemplate } from './launch.ts';
import { ServerLife } from './server-life.ts';

const app = sampleRoot({ path: '/app', uri: 'file:///app' });
const other = sampleRoot({ path: '/other', uri: 'file:///other', name: 'other' });

function open(args: readonly string[], ...maps: readonly string[]) {
  return run([wrappedServer, ...args], ...maps);
}

function run(argv: readonly string[], ...maps: readonly string[]) {
  const heard: unknown[] = [];
  const told: string[] = [];
  const template: LaunchTemplate = { command: [process.execPath, ...argv], cwd: '/', env: {} };
  const map = createPathMap(maps.map((text) => readMapping(text) as PathMapping));
  const life = new ServerLife(template, map, {
    message: (frame) => void heard.push(messageIn(frame)),
    strange: (bytes) => void told.push(`strange ${bytes.toString()}`),
    tooLong: () => undefined,
    full: () => undefined,
    drained: () => undefined,
    stderr: (bytes) => void told.push(bytes.toString()),
    ended: () => undefined,
  });
  return { life, heard, told };
}

test('paths have the names of the server on the way to it, and those of the client on the way back', async () => {
  const { life, heard, told } = open(['{roots}'], '/app=/srv/app');
  life.start({ roots: [app, other], primary: app });
  life.write(frameOf({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'args' } }));
  life.write(
    frameOf({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'lines', arguments: { path: '/app/x' } },
    }),
  );
  await eventually(() => expect(heard).toHaveLength(2));
  expect(heard[0]).toMatchObject({ result: { content: [{ text: '["/srv/app"]' }] } });
  const [, line = ''] = JSON.parse(
    (heard[1] as { result: { content: [{ text: string }] } }).result.content[0].text,
  ) as string[];
  expect(Buffer.from(line, 'base64').toString()).toContain('"/srv/app/x"');
  expect(life.named({ roots: [app, other], primary: other })).toMatchObject({
    roots: [{ uri: 'file:///srv/app' }],
    primary: { path: '/srv/app' },
  });
  const sentence = expect.stringContaining('"file:///other": the server has no name for it') as string;
  expect(told.filter((text) => text.startsWith('rootward:'))).toEqual([sentence]);
  await life.stop();
});

test('another process hears what the client said once, and answers questions of the gateway', async () => {
  const { life, heard } = open(['{root}']);
  life.start({ roots: [app], primary: app });
  const say = (message: object): void => {
    const frame = frameOf({ jsonrpc: '2.0', ...message });
    life.note(frame);
    life.write(frame);
  };
  say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
  say({ method: 'notifications/initialized' });
  say({ id: 2, method: 'logging/setLevel', params: { level: 'info' } });
  say({ id: 3, method: 'resources/subscribe', params: { uri: 'x:1' } });
  await eventually(() => expect(heard).toHaveLength(3));
  expect([
    life.isOutdated({ roots: [app], primary: app }),
    life.isOutdated({ roots: [other], primary: other }),
  ]).toEqual([false, true]);
  await life.restart({ roots: [other], primary: other });
  const answer = (await life.ask('tools/call', { name: 'said' })) as { content: [{ text: string }] };
  expect(JSON.parse(answer.content[0].text)).toMatchObject({
    heard: [
      'initialize',
      'notifications/initialized',
      'logging/setLevel',
      'resources/subscribe',
      'tools/call',
    ],
  });
  life.renew();
  const fresh = (await life.ask('tools/call', { name: 'said' })) as { content: [{ text: string }] };
  expect(JSON.parse(fresh.content[0].text)).toMatchObject({ heard: ['tools/call'] });
  expect(heard).toHaveLength(3);
  expect(await life.stop()).toMatchObject({ code: 0 });
  expect(await life.stop()).toBeUndefined();
});

test('a line that only looks like a message is shown, and ends nothing', async () => {
  const line = '{"jsonrpc":"2.0","id":1,"result":{"a":bad}}';
  const { life, heard, told } = run(['-e', `console.log('${line}')`], '/app=/srv/app');
  life.start({ roots: [], primary: undefined });
  await eventually(() => expect(told).toEqual([`strange ${line}\n`]));
  expect(heard).toEqual([]);
  await life.stop();
});
