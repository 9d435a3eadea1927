import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { notification, request, response } from '../../../test/support/peers/relay-eras.ts';
import type { Fields } from '../../base/fields.ts';
import type { Root } from '../../path/root.ts';
import { mapRoots, mapToClient, mapToServer } from './map-message.ts';
import { createPathMap } from './path-map.ts';
import { readPlace, toMapping } from './read-mapping.ts';

const map = createPathMap(toMapping(readPlace('C:\\app'), readPlace('/work'), 'flag'));
const none = createPathMap([]);

function nest(depth: number, value: unknown): Fields {
  return depth === 0 ? { path: value } : { inner: nest(depth - 1, value) };
}

describe('P4: on the way to the server', () => {
  const cases: readonly (readonly [string, Fields, Fields])[] = [
    ['resources/read', { uri: 'file:///C:/app/a' }, { uri: 'file:///work/a' }],
    ['resources/subscribe', { uri: 'file:///C:/app/a' }, { uri: 'file:///work/a' }],
    ['resources/unsubscribe', { uri: 'file:///C:/app/a' }, { uri: 'file:///work/a' }],
    [
      'completion/complete',
      { ref: { type: 'ref/resource', uri: 'file:///C:/app/a' } },
      { ref: { type: 'ref/resource', uri: 'file:///work/a' } },
    ],
    [
      'subscriptions/listen',
      { notifications: { resourceSubscriptions: ['file:///C:/app/a', 'x:y'] } },
      { notifications: { resourceSubscriptions: ['file:///work/a', 'x:y'] } },
    ],
    [
      'tools/call',
      { name: 't', arguments: { path: 'C:\\app\\a', filePaths: ['C:\\app'], root_dir: 'C:\\app', n: 1 } },
      { name: 't', arguments: { path: '/work/a', filePaths: ['/work'], root_dir: '/work', n: 1 } },
    ],
    [
      'tools/call',
      { arguments: { edits: [{ file: 'C:\\app\\a' }], directories: [], nested: nest(10, 'C:\\app\\b') } },
      { arguments: { edits: [{ file: '/work/a' }], directories: [], nested: nest(10, '/work/b') } },
    ],
    ['prompts/get', { arguments: { cwd: 'C:\\app' } }, { arguments: { cwd: '/work' } }],
  ];
  test.each(cases)('%s with %j becomes %j', (method, params, mapped) => {
    expect(mapToServer(map, request(1, method, params)).message).toStrictEqual(request(1, method, mapped));
  });

  test.each([
    ['content of a file', { path: 'x', content: 'C:\\app\\a' }],
    ['a path inside a longer text', { path: 'see C:\\app\\a' }],
    ['a relative path', { path: 'a\\b' }],
    ['a value nested too deeply', nest(40, 'C:\\app')],
    ['a property that only sounds like one', { profile: 'C:\\app', pathology: 'C:\\app' }],
  ])('%s stays, and the message is the one that was given', (_, given) => {
    const message = request(1, 'tools/call', { arguments: given });
    expect(mapToServer(map, message).message).toBe(message);
  });

  test('arguments are mapped in no property, in known ones, or in all', () => {
    const message = request(1, 'tools/call', { arguments: { path: 'C:\\app', target: 'C:\\app' } });
    const mapped = (which: 'off' | 'known' | 'all'): unknown => {
      const { params } = mapToServer(map, message, { arguments: which }).message as typeof message;
      return params?.['arguments'];
    };
    expect(mapped('off')).toStrictEqual({ path: 'C:\\app', target: 'C:\\app' });
    expect(mapped('known')).toStrictEqual({ path: '/work', target: 'C:\\app' });
    expect(mapped('all')).toStrictEqual({ path: '/work', target: '/work' });
  });

  test('P6: an absolute path without a mapping passes, and its place is reported without its value', () => {
    const given = { path: 'D:\\x', more: { uri: 'file:///C:/other' }, file: '/work/y' };
    const message = request(1, 'tools/call', { arguments: given });
    const mapped = mapToServer(map, message);
    expect(mapped).toStrictEqual({ message, unmapped: ['arguments.path', 'arguments.more.uri'] });
  });
});

describe('P5: on the way to the client', () => {
  const cases: readonly (readonly [Fields, Fields])[] = [
    [
      { resources: [{ uri: 'file:///work/a', name: 'a' }] },
      { resources: [{ uri: 'file:///C:/app/a', name: 'a' }] },
    ],
    [
      { resourceTemplates: [{ uriTemplate: 'file:///work/logs/{day}.txt' }, { uriTemplate: 'x:{y}' }] },
      { resourceTemplates: [{ uriTemplate: 'file:///C:/app/logs/{day}.txt' }, { uriTemplate: 'x:{y}' }] },
    ],
    [
      { contents: [{ uri: 'file:///work/a', text: '/work/a' }] },
      { contents: [{ uri: 'file:///C:/app/a', text: '/work/a' }] },
    ],
    [
      {
        content: [
          { type: 'resource_link', uri: 'file:///work/a' },
          { type: 'text', text: '/work/a' },
        ],
      },
      {
        content: [
          { type: 'resource_link', uri: 'file:///C:/app/a' },
          { type: 'text', text: '/work/a' },
        ],
      },
    ],
    [
      { messages: [{ role: 'user', content: { type: 'resource', resource: { uri: 'file:///work/a' } } }] },
      { messages: [{ role: 'user', content: { type: 'resource', resource: { uri: 'file:///C:/app/a' } } }] },
    ],
    [
      { content: [], structuredContent: { any: '/work/a', list: ['/work', 'in /work'] } },
      { content: [], structuredContent: { any: 'C:\\app\\a', list: ['C:\\app', 'in /work'] } },
    ],
  ];
  test.each(cases)('the result %j becomes %j', (result, mapped) => {
    expect(mapToClient(map, response(1, result))).toStrictEqual(response(1, mapped));
  });

  test('the resource of a change is mapped', () => {
    const changed = (uri: string): ReturnType<typeof notification> =>
      notification('notifications/resources/updated', { uri });
    expect(mapToClient(map, changed('file:///work/a'))).toStrictEqual(changed('file:///C:/app/a'));
  });

  test.each([
    response(1, { content: [{ type: 'text', text: '/work/a' }], _meta: { path: '/work' } }),
    response(1, { tools: [{ name: 't', inputSchema: { properties: { uri: { default: '/work' } } } }] }),
    notification('notifications/message', { data: '/work' }),
    request(1, 'elicitation/create', { message: '/work' }),
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: '/work' } } as const,
  ])('%j stays the message that it was', (message) => {
    expect(mapToClient(map, message)).toBe(message);
  });
});

describe('P6: roots', () => {
  const root = (path: string, uri: string): Root => ({ path, uri, name: 'r', kind: 'directory' });

  test('are mapped; one without a name at the server is dropped, and an issue says so', () => {
    const roots = [
      root('C:\\app', 'file:///C:/app'),
      root('/work/sub', 'file:///work/sub'),
      root('D:\\x', 'file:///D:/x'),
      root('\\\\host\\share\\x', 'file://host/share/x'),
    ];
    const mapped = mapRoots(map, roots);
    expect(mapped.roots).toStrictEqual([
      root('/work', 'file:///work'),
      root('/work/sub', 'file:///work/sub'),
    ]);
    expect(mapped.issues.map(({ code, entry }) => [code, entry])).toStrictEqual([
      ['unmapped', 'file:///D:/x'],
      ['unmapped', 'file://host/share/x'],
    ]);
  });

  test('stay as they are without a mapping', () => {
    const roots = [root('/a', 'file:///a')];
    expect(mapRoots(none, roots)).toStrictEqual({ roots, issues: [] });
  });
});

test('P3: arguments that were mapped are not mapped again, and without mappings nothing is touched', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(
        'C:\\app\\x',
        'c:/APP',
        'file:///C:/app/y',
        '/work/z',
        '/etc',
        'text',
        1,
        null,
      ),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('path', 'file', 'uri', 'x', '__proto__'), tie('any'), { maxKeys: 3 }),
    ),
  })).any;
  fc.assert(
    fc.property(value, (given) => {
      const message = request(1, 'tools/call', { arguments: given });
      const once = mapToServer(map, message, { arguments: 'all' }).message;
      expect(mapToServer(map, once, { arguments: 'all' }).message).toBe(once);
      expect(mapToServer(none, message).message).toBe(message);
    }),
    { numRuns: 200 },
  );
});
