import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { guessProject } from './guess-project.ts';

const nowhere = { environment: {}, cwd: '/' };

test('finds the project of the current directory, and the given one', async () => {
  using tree = tempTree(['app/.git/', 'app/src/', 'lib/']);
  expect(await guessProject({ ...nowhere, cwd: tree.at('app/src') })).toBe('app');
  expect(await guessProject({ ...nowhere, ceiling: [tree.at('lib')] })).toBe('lib');
});

test('finds nothing and reports nothing if there is no project', async () => {
  using tree = tempTree(['app/.git/']);
  const events: object[] = [];
  const trace = (event: object): void => void events.push(event);
  expect(await guessProject({ ...nowhere, trace })).toBeUndefined();
  expect(await guessProject({ ...nowhere, cwd: tree.at('app'), overHttp: true, trace })).toBeUndefined();
  expect(events).toEqual([]);
});
