import { execFileSync } from 'node:child_process';
import { renameSync, symlinkSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { openBoundary } from './open-boundary.ts';
import type { ProgramOptions } from './program.ts';

/** This very Node, as a program. */
function node(script: string, more: Partial<ProgramOptions> = {}): ProgramOptions {
  return { file: process.execPath, args: ['-e', script], milliseconds: 15_000, ...more };
}

const readHere = `process.stdout.write(require('fs').readFileSync('a.txt'))`;

test('starts in the directory, with what it is given to read', async () => {
  using tree = tempTree(['src/a.txt = inside']);
  await using boundary = await openBoundary(tree.path);
  const program = await boundary.startUnchecked('src', node(readHere));
  expect(await text(program.stdout)).toBe('inside');
  expect(await program.ended).toEqual({ code: 0, stopped: undefined, stderr: '' });
  const echo = node('process.stdin.pipe(process.stdout)', { input: Buffer.from('given') });
  await using echoing = await boundary.startUnchecked('.', echo);
  expect(await text(echoing.stdout)).toBe('given');
});

test('the directory is the one that is held, whatever its name leads to by now', async () => {
  using tree = tempTree(['app/a.txt = inside', 'out/a.txt = outside']);
  await using boundary = await openBoundary(tree.at('app'));
  renameSync(tree.at('app'), tree.at('moved'));
  symlinkSync('out', tree.at('app'));
  const options = { cwd: tree.at('app'), encoding: 'utf8' } as const;
  expect(execFileSync(process.execPath, ['-e', readHere], options)).toBe('outside');
  await using program = await boundary.startUnchecked('.', node(readHere));
  expect(await text(program.stdout)).toBe('inside');
});

test('refuses a directory that a link leads out to', async () => {
  using tree = tempTree(['app/', 'out/a.txt = outside', 'app/link => ../out']);
  const options = { cwd: tree.at('app/link'), encoding: 'utf8' } as const;
  expect(execFileSync(process.execPath, ['-e', readHere], options)).toBe('outside');
  await using boundary = await openBoundary(tree.at('app'));
  await expect(boundary.startUnchecked('link', node(readHere))).rejects.toMatchObject({
    code: 'OUTSIDE_ROOTS',
  });
});

test('asks the guard', async () => {
  using tree = tempTree(['src/a.txt']);
  await using boundary = await openBoundary(tree.path);
  const guarded = boundary.guarded(() => new Error('no'));
  await expect(guarded.startUnchecked('src', node(readHere))).rejects.toThrow('no');
});

test('inherits nothing from the environment', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  const script = 'console.log(Object.keys(process.env).join())';
  await using program = await boundary.startUnchecked('.', node(script, { env: { ONLY: '1' } }));
  expect(await text(program.stdout)).toBe('ONLY\n');
});

test('is killed when its time is over', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  await using program = await boundary.startUnchecked(
    '.',
    node('setInterval(() => {}, 1000)', { milliseconds: 50 }),
  );
  expect(await program.ended).toMatchObject({ code: undefined, stopped: 'time' });
});

test('is killed when the call is cancelled, and does not start afterwards', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  const cancel = new AbortController();
  const endless = node('setInterval(() => {}, 1000)', { signal: cancel.signal });
  await using program = await boundary.startUnchecked('.', endless);
  cancel.abort();
  expect(await program.ended).toMatchObject({ code: undefined, stopped: 'aborted' });
  await expect(boundary.startUnchecked('.', endless)).rejects.toThrow('aborted');
});

test('ends with the boundary, which waits for it', async () => {
  using tree = tempTree();
  const boundary = await openBoundary(tree.path);
  const program = await boundary.startUnchecked('.', node('setInterval(() => {}, 1000)'));
  await boundary.close();
  expect(await program.ended).toMatchObject({ stopped: 'aborted' });
});

test('tells how it failed', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  const failing = await boundary.startUnchecked('.', node(`console.error('bad'); process.exitCode = 3`));
  failing.stdout.resume();
  expect(await failing.ended).toEqual({ code: 3, stopped: undefined, stderr: 'bad\n' });
  const missing = await boundary.startUnchecked('.', node('', { file: tree.at('nothing') }));
  await expect(missing.ended).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('runs nothing by its name alone', async () => {
  using tree = tempTree();
  await using boundary = await openBoundary(tree.path);
  await expect(boundary.startUnchecked('.', node('', { file: 'node' }))).rejects.toMatchObject({
    code: 'INVALID_PATH',
  });
});
