import { describe, expect, test } from 'vitest';
import { difficultClients, tempTree } from '../../../src/testing/index.ts';
import { referenceCommand } from '../../support/processes/command.ts';
import { speakHere, speakTo } from '../../support/processes/speak.ts';

/*
 * What was found in how the reference file server takes the roots of its client, tried on the real process. Each
 * attack works on the reference.
 */

const refused = { refused: true };
const done = { refused: false };

describe('H4 and H5: a root is what its URI says, and nothing near it', () => {
  test.each(['app%20', "app'", 'app#1', 'app?x'])('%s grants no app', async (name) => {
    using tree = tempTree(['app/a.txt = inside', 'app /b.txt', "app'/b.txt", 'app#1/b.txt', 'app?x/b.txt']);
    const roots = [`file://${tree.path}/${name}`];
    const path = tree.at('app/a.txt');
    await using careless = await speakTo(referenceCommand(), { client: difficultClients.cooperative, roots });
    await using server = await speakHere({ roots });
    expect(await server.call('read_text_file', { path })).toMatchObject(refused);
    await expect
      .poll(() => careless.call('read_text_file', { path }), { timeout: 20_000 })
      .toMatchObject(done);
  });
});

test('H6: roots that were taken back are gone, also where the new ones do not exist', async () => {
  using tree = tempTree(['app/a.txt = inside']);
  const path = tree.at('app/a.txt');
  const roots = [`file://${tree.at('app')}`];
  await using careless = await speakTo(referenceCommand(), { client: difficultClients.cooperative, roots });
  await using server = await speakHere({ roots });
  for (const gone of [[], [`file://${tree.at('nowhere')}`]]) {
    await server.change(...roots);
    expect(await server.call('read_text_file', { path })).toMatchObject(done);
    await server.change(...gone);
    expect(await server.call('read_text_file', { path })).toMatchObject(refused);
  }
  await expect.poll(() => careless.call('read_text_file', { path }), { timeout: 20_000 }).toMatchObject(done);
  await careless.change();
  expect(await careless.call('read_text_file', { path })).toMatchObject(done);
});

test('H7: nothing is reached before the roots are there', async () => {
  using tree = tempTree(['wide/secret = TOP-SECRET', 'wide/app/a.txt = inside']);
  const path = tree.at('wide/secret');
  const options = { client: difficultClients.late, roots: [`file://${tree.at('wide/app')}`], patience: 500 };
  await using careless = await speakTo(referenceCommand(tree.at('wide')), options);
  expect(await careless.call('read_text_file', { path })).toMatchObject({ text: 'TOP-SECRET' });
  await using server = await speakHere({ ...options, args: [tree.at('wide'), '--merge', 'intersect'] });
  expect(await server.call('read_text_file', { path })).toMatchObject({ ...refused, code: 'OUTSIDE_ROOTS' });
  expect(await server.call('read_text_file', { path: 'a.txt' })).toMatchObject({ text: 'inside' });
});

test('H17: a whole file system is no root', async () => {
  const path = '/proc/self/environ';
  const client = difficultClients.cooperative;
  for (const uri of ['file:///', 'file://']) {
    await using server = await speakHere({ roots: [uri] });
    expect(await server.call('read_text_file', { path })).toMatchObject(refused);
    expect(await server.call('list_directory', { path: '/' })).toMatchObject(refused);
  }
  await using careless = await speakTo(referenceCommand(), { client, roots: ['file:///'] });
  await expect.poll(() => careless.call('read_text_file', { path }), { timeout: 20_000 }).toMatchObject(done);
});
