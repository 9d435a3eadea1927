import { expect, test } from 'vitest';
import { type DescribedProject, describeRoots } from './project-text.ts';

const plain: DescribedProject = {
  name: 'app',
  path: '.',
  kind: 'manifest',
  ecosystems: ['node'],
  markers: ['package.json'],
  requires: {},
  entryPoints: [],
  scripts: {},
  packages: 0,
  languages: [],
};

test('prints known facts only', () => {
  const roots = [
    {
      root: 'app',
      path: '/srv/app',
      files: 3,
      languages: [{ language: 'Go', files: 2 }],
      projects: [
        {
          ...plain,
          version: '1.0.0',
          scripts: { test: 'vitest' },
          repository: { kind: 'git', branch: 'main' } as const,
        },
        { ...plain, path: 'a', packageOf: '.' },
      ],
      complete: false,
      issues: ['Cannot read "x"'],
    },
  ];
  expect(describeRoots({ project: { name: 'app', path: '/srv/app', source: 'roots' }, roots })).toBe(
    [
      'Project app at /srv/app (from roots)',
      '',
      'Root app: /srv/app',
      '3 files: Go 2',
      '- app 1.0.0 at . (node)',
      '  repository: git, on main',
      '  scripts:',
      '    test: vitest',
      '- app at a (node; package of .)',
      '[Cannot read "x"]',
      '[Not everything was searched: start in a subdirectory, or raise the limit.]',
    ].join('\n'),
  );
});
