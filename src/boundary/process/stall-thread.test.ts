import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const built = new URL('../../../.build/src/boundary/process/stall-thread.js', import.meta.url).href;

/** In a process of its own, whose main thread may be held. `hold` ends by itself after a second. */
async function run(begin: string, ...options: readonly string[]): Promise<unknown> {
  const script = `
    import { setTimeout } from 'node:timers/promises';
    import { startStallThread } from ${JSON.stringify(built)};
    const hold = () => { const end = Date.now() + 1_000; while (Date.now() < end); said.push('held'); };
    const said = [];
    const thread = startStallThread(300);
    thread?.watch();
    const timer = setInterval(() => thread?.beat(), 50);
    ${begin};
    await setTimeout(1_200);
    for (; thread !== undefined && thread.ended() === undefined; ) await setTimeout(10);
    clearInterval(timer);
    thread?.rest();
    console.log(JSON.stringify({ ended: thread?.ended(), said }));
  `;
  const args = [...options, '--input-type=module', '--eval', script];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { timeout: 15_000 });
  const others = stderr.replaceAll(/^.*(?:ws:|debugger|nodejs\.org|Warning|trace-warnings).*\n/gim, '');
  return { ...(JSON.parse(stdout) as object), others };
}

const well = { others: '' };

test.concurrent('interrupts an async function that blocks the main thread, prints nothing, and keeps no process alive', async () => {
  expect(await run('Promise.resolve().then(() => { for (;;); })')).toEqual({ ...well, ended: 1, said: [] });
});

test.concurrent('leaves a callback alone, whose interruption Node would not survive', async () => {
  expect(await run('setImmediate(hold)')).toEqual({ ...well, ended: 0, said: ['held'] });
});

test.concurrent('leaves a waiting process alone', async () => {
  const wait =
    'Promise.resolve().then(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000))';
  expect(await run(wait)).toEqual({ ...well, ended: 0, said: [] });
});

test.concurrent('leaves a main thread alone that is not watched', async () => {
  expect(await run('thread.rest(); Promise.resolve().then(hold)')).toEqual({
    ...well,
    ended: 0,
    said: ['held'],
  });
});

test.concurrent('leaves a process under a debugger alone', async () => {
  const held = await run('Promise.resolve().then(hold)', '--inspect=127.0.0.1:0');
  expect(held).toEqual({ ...well, ended: 0, said: ['held'] });
});

test.concurrent('does not start where Node permits no inspector', async () => {
  const name =
    Number(process.versions.node.split('.')[0]) < 23 ? '--experimental-permission' : '--permission';
  const held = await run('Promise.resolve().then(hold)', name, '--allow-fs-read=*');
  expect(held).toEqual({ ...well, said: ['held'] });
});
