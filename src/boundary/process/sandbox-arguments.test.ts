import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { limitedProgram, sandboxArguments, type SandboxPlan, systemPlaces } from './sandbox-arguments.ts';

const plan: SandboxPlan = {
  top: '/srv/app',
  topHandle: 3,
  writable: true,
  directory: '/srv/app/src',
  masks: [],
  statusHandle: 4,
  network: false,
  readable: [],
  masked: ['/proc/keys'],
  temporary: 4096,
  refusesNesting: true,
};

/** The arguments as one text, with a space at both ends. */
function text(more: Partial<SandboxPlan> = {}): string {
  return ` ${sandboxArguments({ ...plan, ...more }).join(' ')} `;
}

test('everything is separate unless the plan says otherwise', () => {
  expect(text()).toContain(' --unshare-all --unshare-user --cap-drop ALL --die-with-parent --new-session ');
  expect(text()).toContain(' --disable-userns ');
  expect(text()).not.toContain('--share-net');
  expect(text()).not.toContain('/etc/resolv.conf');
  expect(text({ network: true })).toMatch(
    / --share-net .* --ro-bind-try \/etc\/resolv.conf \/etc\/resolv.conf /,
  );
  expect(text({ refusesNesting: false })).not.toContain('--disable-userns');
});

test('the root is bound by its handle, after the system and before its masks', () => {
  expect(text()).toContain(' --tmpfs /tmp --bind-fd 3 /srv/app --remount-ro /dev --remount-ro / ');
  expect(text({ writable: false })).toContain(' --ro-bind-fd 3 /srv/app ');
  expect(text()).not.toContain(' --bind ');
  expect(text()).toMatch(/ --chdir \/srv\/app\/src -- $/);
});

test('the settings of the kernel are read-only', () => {
  expect(text()).toContain(' --proc /proc --ro-bind /dev/null /proc/keys --remount-ro /proc ');
});

test('each mask is a mount', () => {
  const masks = [
    { cover: 'pin', path: 'a', handle: 4 },
    { cover: 'protect', path: '.git', handle: 5 },
    { cover: 'blank', path: 'a/.env', handle: 6 },
    { cover: 'empty', path: '.git/keys' },
  ] as const;
  expect(text({ masks })).toContain(
    ' --bind-fd 4 /srv/app/a --ro-bind-fd 5 /srv/app/.git --perms 0444 --ro-bind-data 6 /srv/app/a/.env ' +
      '--perms 0555 --size 4096 --tmpfs /srv/app/.git/keys --remount-ro /srv/app/.git/keys ',
  );
});

test('no place of the system contains secrets, not even of root', () => {
  const places: readonly string[] = systemPlaces;
  for (const place of [
    '/',
    '/etc',
    '/etc/ssl',
    '/etc/pki',
    '/etc/pki/tls',
    '/root',
    '/home',
    '/var',
    '/run',
    '/opt',
  ])
    expect(places).not.toContain(place);
});

function run(...command: readonly string[]): { stdout: string; stderr: string; status: number | null } {
  const [file = '', ...args] = command;
  return spawnSync(file, args, { encoding: 'utf8' });
}

test.runIf(process.platform === 'linux')(
  'the program runs with the limits, and with unchanged arguments',
  () => {
    const limits = { memory: 512 * 1024 * 1024, processes: 77 };
    const inside = limitedProgram(
      'bash',
      ['-c', 'ulimit -d; ulimit -u; ulimit -c; printf %s "$1"', 'x', `a "b" $c`],
      limits,
    );
    expect(run(...inside).stdout).toBe('524288\n77\n0\na "b" $c');
  },
);

test.runIf(process.platform === 'linux')('a lower existing limit is no failure', () => {
  const inside = limitedProgram('bash', ['-c', 'ulimit -d'], { memory: 8_388_608, processes: 10 });
  const { stdout } = run('bash', '-c', 'ulimit -d 4096; exec "$@"', 'x', ...inside);
  // Whether it may be raised again depends on the user.
  expect(['4096\n', '8192\n']).toContain(stdout);
});
