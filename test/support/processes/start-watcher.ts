import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { RootStatus } from '../../../src/client/watch/liveness.ts';
import type { RootIssue } from '../../../src/path/root-issue.ts';
import { Recording, rootsAt } from '../peers/record-statuses.ts';

export interface WatcherOptions {
  /** Whom the process belongs to; the same user by default. */
  readonly uid?: number;
  /** How many watches the system gives it, in a user namespace of its own. */
  readonly watches?: number;
  /** Watch content too. */
  readonly content?: boolean;
}

/** Another process that watches roots. */
export interface Watcher extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly record: Recording;
  until(isWanted: (status: RootStatus) => boolean): Promise<RootStatus>;
  /** Ends the watch; fulfilled with the exit code once the process had nothing left to wait for. */
  end(): Promise<number | null>;
}

/** Starts a process and waits until it has looked at every root. */
export async function startWatcher(paths: readonly string[], options: WatcherOptions = {}): Promise<Watcher> {
  const record = new Recording();
  const child = start([JSON.stringify({ roots: rootsAt(...paths), content: options.content })], options);
  child.on('message', (message: Message) => {
    if ('status' in message) record.add(record.statuses, message.status);
    if ('issue' in message) record.add(record.issues, message.issue);
  });
  await Promise.race([untilReady(child), failAtExit(child)]);
  return {
    child,
    record,
    until: (isWanted) => record.until(record.statuses, isWanted),
    async end() {
      const exited = once(child, 'exit') as Promise<[number | null]>;
      child.send('close');
      return (await exited)[0];
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

type Message = { readonly status: RootStatus } | { readonly issue: RootIssue } | { readonly ready: true };

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.on('message', (message: Message) => {
      if ('ready' in message) resolve();
    });
  });
}

/** What it says is kept for the case that it ends before it began. */
async function failAtExit(child: ChildProcess): Promise<void> {
  const said: string[] = [];
  child.stderr?.on('data', (data: Buffer) => said.push(String(data)));
  await once(child, 'close');
  throw new Error(`the watcher ended: ${said.join('')}`);
}

function start(args: readonly string[], { uid, watches }: WatcherOptions): ChildProcess {
  const node = [process.execPath, '--input-type=module', '-e', program, ...args];
  const [command = '', ...rest] = watches === undefined ? node : [...limited(watches), ...node];
  return spawn(command, rest, {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    ...(uid === undefined ? {} : { uid }),
  });
}

/** In a user namespace of its own: the limit of this machine stays as it is. */
function limited(watches: number): readonly string[] {
  const script = `echo ${watches} > /proc/sys/user/max_inotify_watches && exec "$@"`;
  return ['unshare', '--user', '--map-root-user', 'sh', '-c', script, 'sh'];
}

/** Whether a process can be given a limit of its own. */
export function mayLimitWatches(): boolean {
  const [command = '', ...args] = limited(1);
  return process.platform === 'linux' && spawnSync(command, [...args, 'true']).status === 0;
}

const built = new URL('../../../.build/', import.meta.url).href;

const program = `
  import { watchRoots } from '${built}src/client/watch/watch-roots.js';
  const { roots, content } = JSON.parse(process.argv[1]);
  const watch = watchRoots(roots, {
    settleMilliseconds: 20, mountMilliseconds: 50, pollMilliseconds: 50,
    onChange: (status) => process.send({ status }),
    onIssue: (issue) => process.send({ issue }),
    ...(content ? { content: { onContent: () => {} } } : {}),
  });
  await watch.ready;
  process.send({ ready: true });
  process.once('message', async () => {
    await watch.close();
    // Whatever was left open would keep the process from ending now.
    process.disconnect();
  });
`;
