import { expect, test } from 'vitest';
import { findCommands } from '../../../test/support/trees/find-commands.ts';
import { findProjectName } from '../project/read-project-name.ts';
import { python, readUvMembers } from './python.ts';

const project = '[project]\nname = "x"\n[project.scripts]\ncli = "x:main"\n[tool.ruff]\nline-length = 99\n';

test.each([
  ['uv.lock', 'uv run ', ['install: uv sync', 'build: uv build']],
  ['poetry.lock', 'poetry run ', ['install: poetry install', 'build: poetry build']],
  ['pdm.lock', 'pdm run ', ['install: pdm install', 'build: pdm build']],
  ['nothing', '', ['install: python -m pip install -e .', 'build: python -m build']],
])('with %s', async (lock, prefix, commands) => {
  expect(await findCommands(python, { 'pyproject.toml': project, [lock]: '', 'pytest.ini': '' })).toEqual([
    ...commands,
    `test: ${prefix}pytest`,
    `lint: ${prefix}ruff check`,
    `format: ${prefix}ruff format`,
    `run: ${prefix}cli`,
  ]);
});

test('the backend tells where nothing else does', async () => {
  const hatch = '[build-system]\nbuild-backend = "hatchling.build"\n';
  expect(await findCommands(python, { 'pyproject.toml': hatch })).toContain('build: hatch build');
  const setuptools = '[build-system]\nbuild-backend = "setuptools.build_meta"\n';
  expect(await findCommands(python, { 'pyproject.toml': setuptools })).toContain('build: python -m build');
});

test('tox, nox and a list of requirements', async () => {
  const found = await findCommands(python, { 'requirements.txt': 'x\n', 'tox.ini': '', 'noxfile.py': '' });
  expect(found).toEqual(['install: python -m pip install -r requirements.txt', 'test: tox', 'test: nox']);
  expect(await findCommands(python, {})).toEqual([]);
});

test('members come without what is excluded', () => {
  const workspace = { members: ['packages/*'], exclude: ['packages/seeds'] };
  expect(readUvMembers({ tool: { uv: { workspace } } })).toEqual([
    { pattern: 'packages/*' },
    { pattern: 'packages/seeds', except: true },
  ]);
});

test.each([{ project: { name: 'a' } }, { tool: { uv: {} } }, { tool: { uv: { workspace: [] } } }, null])(
  '%j declares nothing',
  (manifest) => {
    expect(readUvMembers(manifest)).toEqual([]);
  },
);

test.each([
  ['name = "no"\nsetup(\n  name="yes",\n)', 'yes'],
  ["setup(author_name='no', name = 'yes')", 'yes'],
  ['setup(ext_modules=[Extension(name="no")], name="yes")', 'yes'],
  ['setuptools.setup(description="a name=\'no\'", # name="no"\n name="yes")', 'yes'],
  ['setup(name=NAME)\nother(name="no")', undefined],
  ['other(name="no")', undefined],
])('the name in %j is %s', async (text, name) => {
  expect(await findProjectName('setup.py', async () => ({ value: text }) as never)).toEqual(
    name === undefined ? {} : { name },
  );
});

test('a setup.py that is made to be slow is read at once', async () => {
  const started = performance.now();
  for (const part of ['setup(', 'setup(#', 'setup("', 'setup((', 'setup(#\n', 'setup(name = '])
    await findProjectName('setup.py', async () => ({ value: part.repeat(30_000) }) as never);
  expect(performance.now() - started).toBeLessThan(10_000);
});
