import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';

export interface StoreWriterOptions {
  readonly file: string;
  /** Roots are called `name-0`, `name-1` and so on. */
  readonly name: string;
  /** How many changes to make; until it is killed if not given. */
  readonly changes?: number;
}

/** Another process that changes a store. */
export interface StoreWriter extends AsyncDisposable {
  readonly child: ChildProcess;
  /** The names of the roots that it has added, each told after `add` returned. */
  readonly added: AsyncIterable<string>;
  go(): void;
  readonly done: Promise<void>;
}

/** Starts a process and waits until it has opened the store. */
export async function startStoreWriter(options: StoreWriterOptions): Promise<StoreWriter> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const done = ended(child);
  // A caller that does not wait for it has killed it.
  done.catch(() => {});
  await Promise.race([once(child, 'message'), done]);
  return {
    child,
    added: createInterface({ input: child.stdout ?? Readable.from([]) }),
    go: () => void child.send('go', () => {}),
    done,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await done.catch(() => {});
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  let failure: unknown = 'no reason';
  child.on('message', (message) => {
    failure = message;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the writer failed: ${JSON.stringify(failure)}`);
}

const built = new URL('../../../.build/', import.meta.url).href;

const program = `
  import { openRootStore } from '${built}src/client/store/open-root-store.js';
  const { file, name, changes = Infinity } = JSON.parse(process.argv[1]);
  try {
    const store = await openRootStore({ file, timeout: 60_000 });
    process.send('ready');
    await new Promise((resolve) => process.once('message', resolve));
    for (let count = 0; count < changes; count += 1) {
      await store.add({ path: '/srv/' + name + '-' + count, mustExist: false });
      if (changes === Infinity) process.stdout.write(name + '-' + count + '\\n');
    }
    await store.close();
  } catch (error) {
    process.exitCode = 1;
    process.send(error.toJSON?.() ?? String(error));
  }
  process.disconnect();
`;
