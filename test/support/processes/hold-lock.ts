import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface LockHolder extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
}

/** Another process that takes a lock and keeps it until it is killed. */
export async function holdLock(
  directory: string,
  name: string,
  kind: 'kernel' | 'file',
): Promise<LockHolder> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, directory, name, kind], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const closed = once(child, 'close');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await closed;
  };
  const [first] = (await Promise.race([once(child, 'message'), closed])) as [unknown];
  if (first !== 'held') throw new Error(`Cannot hold the lock: ${String(first)}`);
  return { child, kill, [Symbol.asyncDispose]: kill };
}

const built = new URL('../../../.build/', import.meta.url).href;

const program = `
  import { openBoundary } from '${built}src/boundary/open-boundary.js';
  import { takeHeldFile } from '${built}src/boundary/write/held-file.js';
  import { Lease } from '${built}src/boundary/step/context.js';
  import { procDriver } from '${built}src/boundary/system/proc-driver.js';
  const [directory, name, kind] = process.argv.slice(1);
  if (kind === 'kernel') {
    await (await openBoundary(directory)).lock(name);
  } else {
    const top = procDriver.openTop(directory);
    const limits = { fileSize: 1024, listEntries: 10 };
    await takeHeldFile({
      driver: procDriver, top, name: 'root', lease: new Lease('root', () => {}), platform: 'posix', limits,
      hardLinks: 'allow', spellings: [directory], reroot: false,
    }, name + '.held');
  }
  process.send('held');
  setInterval(() => {}, 1000);
`;
