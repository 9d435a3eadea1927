import { fieldsOf } from '../../base/fields.ts';
import { fieldAt } from './manifest/parsed.ts';
import {
  type BuildCommand,
  type BuildDirectory,
  firstOf,
  quoteWord,
  valueOf,
} from './record/build-system.ts';
import { declare, type MemberRule, texts } from './record/declaration.ts';
import type { Ecosystem } from './record/ecosystem.ts';

const file = 'pyproject.toml';

/** `name=` among the arguments of `setup(`, and not in brackets or texts within them. */
const nameInSetup =
  /\bsetup\s?\((?:[^()"'#]|#[^\n]{0,200}\n|"[^"\n]{0,400}"|'[^'\n]{0,400}'|\([^()]{0,2000}\)){0,2000}?(?<![\w.])name\s?=\s?["'](?<name>[^"'\r\n]+)["']/;

export const python: Ecosystem = {
  name: 'python',
  markers: [
    {
      file,
      name: {
        format: 'toml',
        at: [
          ['project', 'name'],
          ['tool', 'poetry', 'name'],
        ],
      },
      members: declare('toml', readUvMembers),
      facts: {
        format: 'toml',
        version: [
          ['project', 'version'],
          ['tool', 'poetry', 'version'],
        ],
        description: [
          ['project', 'description'],
          ['tool', 'poetry', 'description'],
        ],
        license: [
          ['project', 'license'],
          ['project', 'license', 'text'],
          ['tool', 'poetry', 'license'],
        ],
        requires: { python: ['project', 'requires-python'] },
        entryPoints: [
          ['project', 'scripts'],
          ['project', 'gui-scripts'],
          ['tool', 'poetry', 'scripts'],
        ],
      },
    },
    {
      file: 'setup.py',
      name: { format: 'text', pattern: nameInSetup },
    },
    { file: 'Pipfile' },
    { file: 'requirements.txt', weak: true },
  ],
  build: { name: 'python', title: 'Python', find: findPythonCommands },
  languages: { Python: 'py pyi pyx' },
  entryPoints: ['main.py', '__main__.py', 'manage.py'],
  pruned: [
    'site-packages',
    '.nox',
    '.tox',
    '.venv',
    'venv',
    '.eggs',
    '.mypy_cache',
    '.pytest_cache',
    '.ruff_cache',
    '__pycache__',
    '.conda',
    '.pyenv',
  ],
};

interface Manager {
  readonly name: string;
  readonly locks: readonly string[];
  /** Its table in `pyproject.toml`. */
  readonly table: readonly string[];
  readonly install: string;
  readonly build: string;
  /** Prefix of commands, so that they run in the environment of the project. */
  readonly prefix: string;
}

/** The first one whose lock file or table exists counts. */
const managers: readonly Manager[] = [
  {
    name: 'uv',
    locks: ['uv.lock'],
    table: ['tool', 'uv'],
    install: 'uv sync',
    build: 'uv build',
    prefix: 'uv run ',
  },
  {
    name: 'poetry',
    locks: ['poetry.lock'],
    table: ['tool', 'poetry'],
    install: 'poetry install',
    build: 'poetry build',
    prefix: 'poetry run ',
  },
  {
    name: 'pdm',
    locks: ['pdm.lock'],
    table: ['tool', 'pdm'],
    install: 'pdm install',
    build: 'pdm build',
    prefix: 'pdm run ',
  },
  {
    name: 'hatch',
    locks: ['hatch.toml'],
    table: ['tool', 'hatch'],
    install: 'hatch env create',
    build: 'hatch build',
    prefix: 'hatch run ',
  },
  {
    name: 'pipenv',
    locks: ['Pipfile.lock', 'Pipfile'],
    table: ['tool', 'pipenv'],
    install: 'pipenv install --dev',
    build: 'python -m build',
    prefix: 'pipenv run ',
  },
];

const plainPip: Manager = {
  name: 'pip',
  locks: [],
  table: [],
  install: 'python -m pip install -e .',
  build: 'python -m build',
  prefix: '',
};

interface Tool {
  readonly task: BuildCommand['task'];
  readonly command: string;
  readonly files: readonly string[];
  readonly table: readonly string[];
}

/** Each is used if a file or a table configures it. */
const tools: readonly Tool[] = [
  { task: 'test', command: 'tox', files: ['tox.ini'], table: ['tool', 'tox'] },
  { task: 'test', command: 'nox', files: ['noxfile.py'], table: ['tool', 'nox'] },
  { task: 'test', command: 'pytest', files: ['pytest.ini', 'conftest.py'], table: ['tool', 'pytest'] },
  { task: 'lint', command: 'ruff check', files: ['ruff.toml', '.ruff.toml'], table: ['tool', 'ruff'] },
  { task: 'lint', command: 'mypy .', files: ['mypy.ini', '.mypy.ini'], table: ['tool', 'mypy'] },
  { task: 'lint', command: 'pyright', files: ['pyrightconfig.json'], table: ['tool', 'pyright'] },
  { task: 'lint', command: 'flake8', files: ['.flake8'], table: ['tool', 'flake8'] },
  { task: 'lint', command: 'pylint .', files: ['.pylintrc', 'pylintrc'], table: ['tool', 'pylint'] },
  { task: 'format', command: 'black .', files: [], table: ['tool', 'black'] },
  { task: 'format', command: 'ruff format', files: ['ruff.toml', '.ruff.toml'], table: ['tool', 'ruff'] },
];

/** Finds the commands of uv, Poetry, PDM, Hatch, Pipenv or pip, and of configured tools. */
async function findPythonCommands(directory: BuildDirectory): Promise<readonly BuildCommand[]> {
  const marker = firstOf(directory, [file, 'setup.py', 'Pipfile', 'requirements.txt']);
  if (marker === undefined) return [];
  const manifest = await valueOf(directory, file, 'toml');
  const { manager, where } = managerOf(directory, manifest);
  const why =
    where === undefined ? 'nothing names a tool other than pip' : `${where} belongs to ${manager.name}`;
  const source = where !== undefined && directory.names.includes(where) ? where : marker;
  const isPackage = marker !== 'requirements.txt' && marker !== 'Pipfile';
  const install =
    isPackage || manager !== plainPip ? manager.install : 'python -m pip install -r requirements.txt';
  return [
    { task: 'install', command: install, file: source, why },
    ...(isPackage ? [{ task: 'build', command: manager.build, file: source, why } as const] : []),
    ...toolCommands(directory, manifest, manager),
    ...scriptCommands(manifest, manager),
  ];
}

function managerOf(
  { names, above }: BuildDirectory,
  manifest: unknown,
): { manager: Manager; where: string | undefined } {
  for (const manager of managers) {
    const lock = manager.locks.find(
      (name) => names.includes(name) || above.some((there) => there.includes(name)),
    );
    const isSaid = fieldAt(manifest, manager.table) !== undefined;
    if (lock !== undefined || isSaid) return { manager, where: lock ?? `[${manager.table.join('.')}]` };
  }
  const backend = fieldAt(manifest, ['build-system', 'build-backend']);
  const built = managers.find(({ name }) => typeof backend === 'string' && backend.startsWith(name));
  if (built !== undefined) return { manager: built, where: 'build-backend' };
  return { manager: plainPip, where: undefined };
}

function toolCommands(
  { names }: BuildDirectory,
  manifest: unknown,
  { prefix }: Manager,
): readonly BuildCommand[] {
  return tools.flatMap(({ task, command, files, table }) => {
    const configured = files.find((name) => names.includes(name));
    const isSaid = fieldAt(manifest, table) !== undefined;
    if (configured === undefined && !isSaid) return [];
    const why = configured === undefined ? `[${table.join('.')}] is there` : `${configured} is there`;
    return [{ task, command: `${prefix}${command}`, file: configured ?? file, why }];
  });
}

function scriptCommands(manifest: unknown, { prefix }: Manager): readonly BuildCommand[] {
  const tables = [['project', 'scripts'] as const, ['tool', 'poetry', 'scripts'] as const];
  return tables.flatMap((table) => {
    const scripts = fieldAt(manifest, table);
    return Object.entries(fieldsOf(scripts))
      .slice(0, 20)
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .map(
        ([name, target]) =>
          ({
            task: 'run',
            command: `${prefix}${quoteWord(name)}`,
            file,
            why: `script: ${target.slice(0, 160)}`,
          }) as const,
      );
  });
}

/** Reads `[tool.uv.workspace]` of a pyproject.toml: `members` without `exclude`. */
export function readUvMembers(manifest: unknown): readonly MemberRule[] {
  const workspace = fieldAt(manifest, ['tool', 'uv', 'workspace']);
  return [
    ...texts(fieldAt(workspace, ['members'])).map((pattern) => ({ pattern })),
    ...texts(fieldAt(workspace, ['exclude'])).map((pattern) => ({ pattern, except: true })),
  ];
}
