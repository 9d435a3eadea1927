import type { BuildTask } from './build-system.ts';

/** What people call their scripts and targets. The first that fits counts. */
const words: readonly (readonly [BuildTask, RegExp])[] = [
  ['test', /^(?:unit|integration|e2e|ci|all)?[-_:]?(?:tests?|spec|e2e|coverage|verify)(?:[-_:]|$)/],
  [
    'lint',
    /^(?:lint|eslint|typecheck|type-check|types|check|vet|clippy|ruff|mypy|flake8|tsc|static)(?:[-_:]|$)/,
  ],
  ['format', /^(?:format|fmt|prettier|fix|style)(?:[-_:]|$)/],
  ['run', /^(?:start|serve|dev|develop|run|watch|preview|up)(?:[-_:]|$)/],
  ['build', /^(?:build|compile|bundle|dist|package|assemble|all|release|generate|codegen)(?:[-_:]|$)/],
  ['install', /^(?:install|setup|bootstrap|deps|dependencies|init|prepare)(?:[-_:]|$)/],
  ['clean', /^(?:clean|distclean|clobber|purge)(?:[-_:]|$)/],
];

/** What a script or target is for, by its name. */
export function taskOf(name: string): BuildTask {
  const lower = name.toLowerCase();
  return words.find(([, pattern]) => pattern.test(lower))?.[0] ?? 'other';
}
