import { fieldsOf } from '../../base/fields.ts';
import { fieldAt } from './manifest/parsed.ts';
import { type BuildCommand, type BuildDirectory, valueOf } from './record/build-system.ts';
import { declare, type MemberRule, texts } from './record/declaration.ts';
import type { Ecosystem } from './record/ecosystem.ts';

const file = 'Cargo.toml';

export const rust: Ecosystem = {
  name: 'rust',
  markers: [
    {
      file,
      name: { format: 'toml', at: [['package', 'name']] },
      members: declare('toml', readCargoMembers),
      facts: {
        format: 'toml',
        version: [
          ['package', 'version'],
          ['workspace', 'package', 'version'],
        ],
        description: [['package', 'description']],
        license: [['package', 'license']],
        requires: { rust: ['package', 'rust-version'], 'rust edition': ['package', 'edition'] },
        entryPoints: [['bin'], ['lib', 'path']],
      },
    },
  ],
  build: { name: 'cargo', title: 'Cargo', find: findCargoCommands },
  languages: { Rust: 'rs' },
  pruned: ['target', '.cargo', '.rustup'],
};

/** Finds the commands of Cargo for every crate, and `run` if there is a program. */
async function findCargoCommands(directory: BuildDirectory): Promise<readonly BuildCommand[]> {
  const manifest = await valueOf(directory, file, 'toml');
  if (manifest === undefined) return [];
  const isWorkspace = fieldAt(manifest, ['workspace']) !== undefined;
  const all = isWorkspace ? ' --workspace' : '';
  const what = isWorkspace ? 'a workspace of Cargo' : 'a crate';
  const commands: readonly BuildCommand[] = [
    { task: 'build', command: `cargo build${all}`, file, why: `it is ${what}` },
    { task: 'test', command: `cargo test${all}`, file, why: `it is ${what}` },
    {
      task: 'lint',
      command: `cargo clippy${all} --all-targets`,
      file,
      why: 'the linter that comes with Rust',
    },
    { task: 'format', command: 'cargo fmt', file, why: 'the formatter that comes with Rust' },
  ];
  const runs = await runnable(directory, manifest);
  return runs === undefined
    ? commands
    : [...commands, { task: 'run', command: 'cargo run', file, why: runs }];
}

async function runnable({ read }: BuildDirectory, manifest: unknown): Promise<string | undefined> {
  const bins = fieldAt(manifest, ['bin']);
  if (Array.isArray(bins) && bins.length > 0) return 'it has [[bin]]';
  if (fieldAt(manifest, ['package']) === undefined) return undefined;
  return 'value' in (await read('src/main.rs', 'text')) ? 'src/main.rs is there' : undefined;
}

const dependencyTables = ['dependencies', 'dev-dependencies', 'build-dependencies'] as const;

/**
 * Reads `[workspace]` of a Cargo.toml: `members`, and the path dependencies of the manifest itself, without
 * those in an excluded directory. A literally named member overrides an exclusion, one that a glob matches
 * does not. Path dependencies of members are not followed.
 */
export function readCargoMembers(manifest: unknown): readonly MemberRule[] {
  const workspace = fieldAt(manifest, ['workspace']);
  if (workspace === undefined) return [];
  const members = texts(fieldAt(workspace, ['members']));
  const dependencies = dependencyTables.flatMap((table) => pathsOf(fieldAt(manifest, [table])));
  return [
    ...members.map((pattern) => ({ pattern })),
    ...dependencies.map((pattern) => ({ pattern, literal: true })),
    ...texts(fieldAt(workspace, ['exclude'])).map((pattern) => ({ pattern: `${pattern}/**`, except: true })),
    ...members.map((pattern) => ({ pattern, literal: true })),
  ];
}

function pathsOf(dependencies: unknown): readonly string[] {
  return texts(Object.values(fieldsOf(dependencies)).map((dependency) => fieldAt(dependency, ['path'])));
}
