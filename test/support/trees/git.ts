import { execFileSync } from 'node:child_process';

const settings = [
  'user.name=Test',
  'user.email=test@x.example',
  'protocol.file.allow=always',
  'init.defaultBranch=main',
  'advice.detachedHead=false',
];

/** Runs Git without a person's configuration, and with directories as remotes. */
export function git(directory: string, ...given: readonly string[]): string {
  const { PATH } = process.env;
  return execFileSync('git', [...settings.flatMap((setting) => ['-c', setting]), ...given], {
    cwd: directory,
    encoding: 'utf8',
    env: { PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

/** A repository with one commit of what is in the directory. */
export function createRepository(directory: string): void {
  git(directory, 'init', '--quiet');
  git(directory, 'add', '.');
  git(directory, 'commit', '--quiet', '--allow-empty', '--message', 'first');
}
