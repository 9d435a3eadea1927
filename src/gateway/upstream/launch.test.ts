import { expect, test } from 'vitest';
import { sampleRoot } from '../../../test/support/trees/sample-root.ts';
import { RootwardError } from '../../errors.ts';
import { fillLaunch, findUnfilled, type LaunchTemplate, takesPlaces } from './launch.ts';

const [a, b] = [sampleRoot({ path: '/a' }), sampleRoot({ path: '/b' })];
const template = (...command: [string, ...string[]]): LaunchTemplate => ({
  command,
  cwd: '/here',
  env: { A: '1' },
});

test.each([
  [['srv', '{root}'], ['/a']],
  [
    ['srv', '{roots}'],
    ['/a', '/b'],
  ],
  [
    ['srv', '--in={roots}', 'x{root}y'],
    ['--in=/a', '--in=/b', 'x/ay'],
  ],
  [
    ['srv', '{ROOT}', '{rootss'],
    ['{ROOT}', '{rootss'],
  ],
] as const)('%j is started with %j', (command, args) => {
  const [file, ...words] = command;
  expect(fillLaunch(template(file, ...words), { roots: [a, b], primary: a }).args).toEqual(args);
});

test('the program itself is never filled in, and a path starts where the command was given', () => {
  expect(fillLaunch(template('{root}/x'), { roots: [a], primary: a }).file).toBe('/here/{root}/x');
  expect(fillLaunch(template('bin/x'), { roots: [], primary: undefined })).toMatchObject({
    file: '/here/bin/x',
    cwd: '/here',
  });
  expect(fillLaunch(template('x'), { roots: [], primary: undefined }).file).toBe('x');
});

test('a variable and the directory are the primary root', () => {
  const full = { ...template('x'), envRoot: ['P'], chdir: true };
  expect(fillLaunch(full, { roots: [a, b], primary: b })).toMatchObject({
    cwd: '/b',
    env: { A: '1', P: '/b' },
  });
  expect([
    takesPlaces(full),
    takesPlaces(template('x', 'y')),
    takesPlaces(template('x', '-{roots}')),
  ]).toEqual([true, false, true]);
});

test('one root that is needed and missing is an error; no list of roots is none', () => {
  const none = { roots: [], primary: undefined };
  expect(() => fillLaunch(template('x', '{root}'), none)).toThrow(RootwardError);
  expect(fillLaunch(template('x', '{roots}'), none).args).toEqual([]);
});

test('a placeholder that the client did not fill in is named', () => {
  expect(findUnfilled(template('x', '${workspaceFolder}/a', '$HOME', '{root}'))).toEqual([
    'the argument "${workspaceFolder}/a" has a placeholder that the client did not fill in',
  ]);
});
