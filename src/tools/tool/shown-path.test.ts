import { expect, test } from 'vitest';
import type { NamedProject } from '../../server/settings/call-workspace.ts';
import { shownPath } from './shown-path.ts';

const project = { name: 'app', location: '/home/me/app', id: 'app', kind: 'directory', markers: [] } as const;

test('is relative within the project and absolute elsewhere', () => {
  expect(shownPath({ project }, '/home/me/app/src/a.ts')).toBe('src/a.ts');
  expect(shownPath({ project }, '/home/me/app')).toBe('.');
  expect(shownPath({ project }, '/home/me/app-old/a.ts')).toBe('/home/me/app-old/a.ts');
});

test('is absolute where the project has no place', () => {
  const named: NamedProject = { name: 'app', location: undefined, id: 'app', kind: 'name', markers: [] };
  expect(shownPath({ project: named }, '/srv/a.ts')).toBe('/srv/a.ts');
});
