import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { FileSinkOptions } from '../../../src/audit/file-sink.ts';

export interface WriterOptions {
  readonly directory: string;
  /** Entries have the paths `name/0`, `name/1` and so on. */
  readonly name: string;
  /** How many lines to write; until it is killed if not given. */
  readonly lines?: number;
  readonly sink?: Pick<FileSinkOptions, 'maxBytes' | 'keep' | 'flush'>;
  /** Whom the process belongs to; the same user by default. */
  readonly uid?: number;
}

/** Another process that writes to a log. */
export interface Writer extends AsyncDisposable {
  readonly child: ChildProcess;
  /** The numbers of the lines that it has written, each told after its record returned. */
  readonly written: AsyncIterable<string>;
  /** Lets it begin. */
  go(): void;
  /** Fails with what it failed with. */
  readonly done: Promise<void>;
}

/** Starts a process and waits until it has opened the log. */
export async function startWriter(options: WriterOptions): Promise<Writer> {
  const { uid, ...given } = options;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, JSON.stringify(given)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    ...(uid === undefined ? {} : { uid }),
  });
  const done = ended(child);
  // A caller that does not wait for it has killed it.
  done.catch(() => {});
  await Promise.race([once(child, 'message'), done]);
  const go = (): void => void child.send('go', () => {});
  return {
    child,
    written: createInterface({ input: child.stdout ?? Readable.from([]) }),
    go,
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
  if (code !== 0) throw Object.assign(new Error('the writer failed'), { failure });
}

const built = new URL('../../../.build/', import.meta.url).href;

const program = `
  import { openFileSink } from '${built}src/audit/file-sink.js';
  import { openBoundary } from '${built}src/boundary/open-boundary.js';
  const { directory, name, lines = Infinity, sink: options } = JSON.parse(process.argv[1]);
  const boundary = await openBoundary(directory);
  try {
    const sink = await openFileSink(boundary, options);
    process.send('ready');
    await new Promise((resolve) => process.once('message', resolve));
    for (let line = 0; line < lines; line += 1) {
      await sink.ready();
      await sink.record({
        time: new Date().toISOString(), caller: name, operation: 'read', path: name + '/' + line, root: 'app',
        verdict: 'allow', rule: 'allow:read', outcome: 'done', duration: 0.1, revision: 1,
      });
      if (lines === Infinity) process.stdout.write(line + '\\n');
    }
    await sink.close();
  } catch (error) {
    process.exitCode = 1;
    process.send(error.toJSON?.() ?? String(error));
  }
  process.disconnect();
`;
