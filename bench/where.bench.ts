import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseRoots } from '../src/path/root.ts';
import type { Disk } from '../src/workspace/chain/disk.ts';
import { resolveWorkspace } from '../src/workspace/chain/resolve-workspace.ts';
import type { Project } from '../src/workspace/project/project.ts';
import type { Signals } from '../src/workspace/sources/root-source.ts';
import type { Measurement, Suite } from './suite.ts';
import { timeOne, timePair } from './time-pair.ts';

/** How long does it take to tell the project? */
export const whereSuite: Suite = {
  name: 'where',
  async run() {
    return [await startCommand(), await resolveSignals()];
  },
};

async function startCommand(): Promise<Measurement> {
  const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
  const times = await timePair(run([command, 'where']), run(['-e', '0']), { rounds: 15, milliseconds: 1 });
  return { name: 'rootward where', against: 'node -e 0', ...times, target: { kind: 'within', factor: 3 } };
}

function run(argv: readonly string[]): (count: number) => void {
  return (count) => {
    for (let index = 0; index < count; index += 1) {
      const { status } = spawnSync(process.execPath, argv, { stdio: 'ignore' });
      if (status !== 0) throw new Error(`node ${argv.join(' ')} ended with ${status}`);
    }
  };
}

/** Microseconds that all signals may take together, without the disk. */
const budget = 100;

async function resolveSignals(): Promise<Measurement> {
  const roots = parseRoots([{ uri: 'file:///home/u/app' }, { uri: 'file:///home/u/docs' }], {
    platform: 'posix',
  }).roots;
  const signals: Signals = {
    meta: { 'agent-working-dir': '/gone' },
    roots: { state: 'listed', roots },
    remembered: roots,
    initialize: { workspaceFolders: ['/home/u/app'] },
    client: { name: 'goose-cli' },
    environment: { PWD: '/home/u/app', INIT_CWD: '/home/u', CLAUDE_PROJECT_DIR: '/home/u/app' },
    cwd: '/home/u/docs/src',
    ceiling: roots,
  };
  const options = {
    disk: diskInMemory,
    around: { platform: 'posix', home: '/home/u', temporary: '/tmp' },
  } as const;
  const ours = await timeOne(async (count) => {
    for (let index = 0; index < count; index += 1) {
      const { status } = await resolveWorkspace(signals, options);
      if (status !== 'resolved') throw new Error('the project was not found: the measurement means nothing');
    }
  });
  return {
    name: 'all signals, no disk',
    against: `a budget of ${budget} µs`,
    ours,
    theirs: budget * 1_000,
    target: { kind: 'within', factor: 1 },
  };
}

const diskInMemory: Disk = {
  kindOf: async (path) => (path.startsWith('/home/u/') ? 'directory' : undefined),
  realPath: async (path) => path,
  describe: async (location): Promise<Project> => ({
    name: 'app',
    location,
    id: 'app',
    kind: 'repository',
    markers: [],
  }),
  detect: async () => undefined,
};
