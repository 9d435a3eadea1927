import { expect, test } from 'vitest';
import { serveNotices } from './notices.ts';

const quiet = {
  http: ':0',
  hosts: [],
  directories: ['/srv/app'],
  project: undefined,
  store: false,
  merge: undefined,
} as const;

test.each([
  ['on this machine with a directory', {}],
  ['with a project', { directories: undefined, project: '/srv/app' }],
  ['with a store', { directories: undefined, store: true }],
  ['with what clients list', { directories: undefined, merge: 'client' }],
  ['on stdio', { http: undefined, directories: undefined }],
  ['on a socket', { http: 'unix:/run/mcp.sock' }],
] as const)('%s there is nothing to say', (_title, differently) => {
  expect(serveNotices({ ...quiet, ...differently })).toEqual([]);
});

test('that nothing can be reached is said', () => {
  for (const merge of [undefined, 'intersect', 'operator'] as const)
    expect(serveNotices({ ...quiet, directories: undefined, merge })).toEqual([
      expect.stringContaining('nothing can be reached'),
    ]);
});

test('that others can listen in is said', () => {
  const [line] = serveNotices({ ...quiet, http: '0.0.0.0:0', hosts: ['mcp.example', 'other.example'] });
  expect(line).toContain('plain HTTP');
  expect(line).toContain('It answers to mcp.example, other.example');
});
