import { expect, test } from 'vitest';
import { createMemorySink } from '../audit/sink.ts';
import { createKit, type Kit, type KitOptions } from './kit/kit.ts';
import { prepareKit } from './prepare-kit.ts';
import type { ServeFlags } from './settings/serve-options.ts';
import { readServeSettings } from './settings/serve-settings.ts';

const context = {
  cwd: '/srv',
  process: { stdout: { write: () => undefined }, stderr: { write: () => undefined }, env: { A: 'b' } },
};

async function prepare(flags: ServeFlags = {}, directories: readonly string[] = []): Promise<KitOptions> {
  const settings = await readServeSettings(context, flags, directories);
  return prepareKit(context, settings, { audit: createMemorySink(), trace: () => undefined });
}

const namesOf = ({ tools }: KitOptions): readonly string[] => tools.map(({ name }) => name);

test('offers the tools that the permissions can allow', async () => {
  expect(namesOf(await prepare())).toContain('write_file');
  expect(namesOf(await prepare())).not.toContain('remove_file');
  expect(namesOf(await prepare({ allow: ['remove'] }))).toContain('remove_file');
  expect(namesOf(await prepare({ readOnly: true }))).not.toContain('write_file');
  expect(namesOf(await prepare({ readOnly: true }))).toContain('read_text_file');
});

test('passes on its options, and nothing of the process', async () => {
  const { attach } = await prepare({ merge: 'operator', project: 'app', marker: ['.blue'] }, ['lib']);
  expect(attach).toMatchObject({
    ceiling: ['/srv/lib'],
    project: '/srv/app',
    merge: 'operator',
    markers: ['.blue'],
    cwd: '/srv',
    environment: { A: 'b' },
  });
  expect((await prepare()).attach).not.toHaveProperty('ceiling');
});

test('names the directories in its instructions', async () => {
  expect((await prepare({}, ['app', '/opt/lib'])).instructions).toContain('Roots: app, lib,');
  expect((await prepare()).instructions).toContain('what the client lists');
});

test.each([
  ['a placeholder that was not filled in', {}, ['${workspaceFolder}'], 'INVALID_PATH'],
  ['one for the project', { project: '%HERE%' }, [], 'INVALID_PATH'],
  ['a marker that is none', { marker: ['a/b'] }, [], 'INVALID_MARKER'],
  ['a rule that cannot be read', { deny: ['{a,b}'.repeat(22)] }, [], 'INVALID_POLICY'],
] as const)('refuses %s before any client connects', async (_title, flags, directories, code) => {
  const start = async (): Promise<Kit> => createKit(await prepare(flags, directories));
  await expect(start()).rejects.toMatchObject({ code });
});
