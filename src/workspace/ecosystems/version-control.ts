import type { Ecosystem } from './record/ecosystem.ts';

/** `.git` is a file in worktrees and submodules. */
export const git: Ecosystem = {
  name: 'git',
  markers: [{ file: '.git', kind: 'repository', shape: 'either' }],
  pruned: ['.git'],
};

export const jujutsu: Ecosystem = {
  name: 'jj',
  markers: [{ file: '.jj', kind: 'repository', shape: 'directory' }],
  pruned: ['.jj'],
};

export const mercurial: Ecosystem = {
  name: 'hg',
  markers: [{ file: '.hg', kind: 'repository', shape: 'directory' }],
  pruned: ['.hg'],
};

export const subversion: Ecosystem = {
  name: 'svn',
  markers: [{ file: '.svn', kind: 'repository', shape: 'directory' }],
  pruned: ['.svn'],
};
