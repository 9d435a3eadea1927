import { expect, test } from 'vitest';
import { initialize } from './initialize.ts';

test.each([
  [{ roots: [{ uri: 'file:///a', name: 'A' }] }, [{ text: 'file:///a', name: 'A', via: 'roots' }]],
  [
    { workspaceFolders: [{ uri: 'file:///a' }, '/b'] },
    [
      { text: 'file:///a', via: 'workspaceFolders' },
      { text: '/b', via: 'workspaceFolders' },
    ],
  ],
  [{ rootUri: 'file:///a', rootPath: '/b' }, [{ text: 'file:///a', via: 'rootUri' }]],
  [{ rootUri: null, rootPath: '/b' }, [{ text: '/b', via: 'rootPath' }]],
  [{ roots: [], workspaceFolders: ['/a'] }, [{ text: '/a', via: 'workspaceFolders' }]],
])('reads %j', (params, places) => {
  expect(initialize.offer({ initialize: params }, undefined)).toEqual({ places });
});

test.each([
  undefined,
  null,
  'x',
  {},
  { roots: {} },
  { roots: [{ uri: 42 }] },
  { capabilities: { roots: {} } },
])('has nothing to say about %j', (params) => {
  expect(initialize.offer({ initialize: params }, undefined)).toHaveProperty('none');
});
