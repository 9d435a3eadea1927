import { fieldsOf } from '../../base/fields.ts';
import { fieldAt } from './manifest/parsed.ts';
import { type BuildCommand, type BuildDirectory, quoteWord, valueOf } from './record/build-system.ts';
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
  return [...commands, ...(await runCommands(directory, manifest))];
}

/** Maximum number of programs to name. */
const mostPrograms = 20;

/** One program is run by `cargo run`; several must be named, unless the manifest names a default. */
async function runCommands(directory: BuildDirectory, manifest: unknown): Promise<readonly BuildCommand[]> {
  const programs = await programsOf(directory, manifest);
  const [first] = programs;
  if (first === undefined) return [];
  const standard = fieldAt(manifest, ['package', 'default-run']);
  const plain: BuildCommand = { task: 'run', command: 'cargo run', file, why: first[1] };
  if (programs.size === 1) return [plain];
  const named = [...programs].slice(0, mostPrograms).map(([name, why]): BuildCommand => {
    const command = `cargo run --bin ${quoteWord(name)}`;
    return { task: 'run', command, file, why };
  });
  return typeof standard === 'string' ? [{ ...plain, why: `default-run is ${standard}` }, ...named] : named;
}

/** The programs of a crate, each with the reason: those of the manifest, and files where Cargo looks for them. */
async function programsOf(
  { read, list }: BuildDirectory,
  manifest: unknown,
): Promise<ReadonlyMap<string, string>> {
  const name = fieldAt(manifest, ['package', 'name']);
  if (typeof name !== 'string') return new Map();
  const bins = fieldAt(manifest, ['bin']);
  const said = texts((Array.isArray(bins) ? bins : []).map((bin) => fieldAt(bin, ['name'])));
  const programs = new Map(said.map((each) => [each, 'it has [[bin]]']));
  if (fieldAt(manifest, ['package', 'autobins']) === false) return programs;
  const paths = texts((Array.isArray(bins) ? bins : []).map((bin) => fieldAt(bin, ['path'])));
  if (!paths.includes('src/main.rs') && 'value' in (await read('src/main.rs', 'text')))
    programs.set(name, programs.get(name) ?? 'src/main.rs is there');
  for (const entry of await list('src/bin')) {
    if (paths.some((path) => path.startsWith(`src/bin/${entry}`))) continue;
    const program = entry.replace(/\.rs$/, '');
    if (!program.includes('.')) programs.set(program, programs.get(program) ?? `src/bin/${entry} is there`);
  }
  return programs;
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
