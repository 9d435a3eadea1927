import { readdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { createProjectChoices } from './project-choices.ts';

const places = ['/one', '/two'];

test('the choice of a client for its directories lasts beyond the process, whatever their order', async () => {
  using tree = tempTree();
  const directory = tree.at('state/choices');
  const choices = createProjectChoices(directory);
  expect(await choices.find('a', places)).toBeUndefined();
  await choices.keep('a', places, { location: '/two' });
  const next = createProjectChoices(directory);
  expect(await next.find('a', places.toReversed())).toEqual({ location: '/two' });
  expect(await next.find('b', places)).toBeUndefined();
  expect(await next.find('a', ['/one'])).toBeUndefined();
});

test('a refusal to choose lasts as long as the process', async () => {
  using tree = tempTree();
  const choices = createProjectChoices(tree.at('choices'));
  await choices.keep('a', places, {});
  expect(await choices.find('a', places)).toEqual({});
  expect(await createProjectChoices(tree.at('choices')).find('a', places)).toBeUndefined();
});

test('a damaged file, or a directory that is none, is no choice', async () => {
  using tree = tempTree(['file = text']);
  const directory = tree.at('choices');
  await createProjectChoices(directory).keep('a', places, { location: '/two' });
  for (const name of readdirSync(directory)) writeFileSync(tree.at('choices', name), 'no JSON');
  expect(await createProjectChoices(directory).find('a', places)).toBeUndefined();
  const nowhere = createProjectChoices(tree.at('file'));
  await nowhere.keep('a', places, { location: '/one' });
  expect(await nowhere.find('a', places)).toEqual({ location: '/one' });
});
