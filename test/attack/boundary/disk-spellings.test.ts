import { mkdirSync, readdirSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Boundary } from '../../../src/boundary/boundary.ts';
import { openWith } from '../../../src/boundary/open-boundary.ts';
import type { Driver } from '../../../src/boundary/system/driver.ts';
import { procDriver } from '../../../src/boundary/system/proc-driver.ts';
import { tempTree } from '../../../src/testing/index.ts';
import { attackScale } from '../../support/race/seed.ts';
import { aliasDriver, readThrough } from '../../support/boundary/alias-driver.ts';
import {
  deniedNames,
  protectedFiles,
  readPlainly,
  secretFiles,
  secretsGuard,
  tryAttacks,
} from '../../support/boundary/attack-names.ts';
import { type DiskKind, diskKinds, fillDisk, type MountedDisk } from '../../support/trees/mounts.ts';
import { shortNames } from '../../support/trees/short-names.ts';
import { spellingsOf, spellingsOfName } from '../../support/trees/spellings.ts';

/*
 * Several hundred spellings of each secret, first with plain `node:fs` to see which of them open it on this disk, then
 * through a boundary with the rules of the product: none of those may be read, written, moved, copied or removed.
 */

/** Each disk is asked about every spelling; of those that open something all are tried only where there is time. */
const stride = attackScale > 1 ? 1 : 13;

interface Scene extends Disposable {
  readonly path: string;
  readonly driver: Driver;
  /** What a spelling opens, without the product. */
  readonly control: (path: string) => string | undefined;
}

interface Disk {
  readonly title: string;
  readonly missing?: string | undefined;
  /** Spellings beyond the listed name that open a secret there, at least. */
  readonly known: readonly string[];
  readonly open: () => Scene;
}

const knownOn: Readonly<Record<string, readonly string[]>> = {
  'NTFS with streams': ['id_rsa:', 'CREDEN~1.JSO', 'SSH~1/id'],
  'NTFS without case': ['ID_RSA', 'CREDEN~1.JSO', 'creden~1.jso', '.SSH/ID'],
  'FAT whose files have a new number under each name': ['ID_RSA', '.SSH/ID'],
};

const disks: readonly Disk[] = [
  { title: 'an ordinary disk', known: ['./.env', '.ssh//id'], open: () => onTree(procDriver) },
  {
    title: 'a model of FAT',
    known: ['id_rsa.', 'CREDEN~1.JSO', '.ssh./id', 'SSH~1/id', 'ID_RSA', 'id_rsa::$DATA'],
    open: () => onTree(aliasDriver({ shortNames: 'numbered' })),
  },
  {
    title: 'a model of FAT with short names that have no number',
    known: ['CREDENTI.JSO', 'ENV', 'SSH/id'],
    open: () => onTree(aliasDriver({ shortNames: 'plain' })),
  },
  ...diskKinds.map((kind) => ({
    title: kind.title,
    missing: kind.missing,
    known: knownOn[kind.title] ?? [],
    open: () => onMount(kind),
  })),
];

function onTree(driver: Driver): Scene {
  const tree = tempTree();
  fillDisk(tree.path, { ...secretFiles, ...protectedFiles, 'plain.txt': 'plain' });
  return {
    path: tree.path,
    driver,
    control: (path) => readThrough(driver, tree.path, path),
    [Symbol.dispose]: () => tree[Symbol.dispose](),
  };
}

function onMount(kind: DiskKind): Scene {
  const disk = kind.mount();
  try {
    fillWithShortNames(disk);
  } catch (error) {
    disk[Symbol.dispose]();
    throw error;
  }
  return {
    path: disk.path,
    driver: procDriver,
    control: (path) => readPlainly(`${disk.path}/${path}`),
    [Symbol.dispose]: () => disk[Symbol.dispose](),
  };
}

function fillWithShortNames(disk: MountedDisk): void {
  const files = { ...secretFiles, ...protectedFiles, 'plain.txt': 'plain' };
  fillDisk(disk.path, files);
  for (const directory of new Set(['.', ...Object.keys(files).map(dirname)]))
    for (const [entry, short] of shortNames(readdirSync(`${disk.path}/${directory}`), 'numbered'))
      disk.nameShortly(`${disk.path}/${directory}/${entry}`, short);
}

function open({ driver, path }: Scene): Boundary {
  return openWith(driver, path, { name: 'disk', guard: secretsGuard });
}

/** By listed names, which are never in doubt. */
function contentsOf(scene: Scene): readonly (string | undefined)[] {
  return [...Object.keys(secretFiles), ...Object.keys(protectedFiles)].map((path) =>
    readPlainly(`${scene.path}/${path}`),
  );
}

const untouched = [...Object.values(secretFiles), ...Object.values(protectedFiles)];

for (const disk of disks) {
  const reason = disk.missing === undefined ? '' : ` (skipped: ${disk.missing})`;
  describe.runIf(disk.missing === undefined)(`on ${disk.title}${reason}`, () => {
    test('no spelling of a secret opens, changes, moves or removes it', async () => {
      using scene = disk.open();
      await using boundary = open(scene);
      expect(await boundary.readText('plain.txt')).toBe('plain');
      const passed: string[] = [];
      const opening: string[] = [];
      for (const [path, text] of Object.entries(secretFiles))
        for (const spelled of spellingsOf(path)) {
          if (scene.control(spelled) !== text) continue;
          const turn = opening.push(spelled);
          if (turn % stride === 0 || disk.known.includes(spelled))
            passed.push(...(await tryAttacks(boundary, spelled, ['reading', 'changing'], turn)));
        }
      expect(opening).toEqual(expect.arrayContaining([...disk.known]));
      expect(passed).toEqual([]);
      expect(contentsOf(scene)).toEqual(untouched);
      expect(await boundary.readText('plain.txt')).toBe('plain');
    });

    test('no spelling of .git lets anything in it be changed', async () => {
      using scene = disk.open();
      await using boundary = open(scene);
      const passed: string[] = [];
      for (const [turn, spelled] of ['.git/HEAD', ...spellingsOf('.git/HEAD')].entries())
        if (turn % stride === 0 && scene.control(spelled) !== undefined)
          passed.push(...(await tryAttacks(boundary, spelled, ['changing'], turn)));
      passed.push(...(await tryAttacks(boundary, '.git/hooks/pre-commit', ['changing'])));
      expect(passed).toEqual([]);
      expect(contentsOf(scene)).toEqual(untouched);
    });

    test('no spelling creates a name that is denied', async () => {
      using scene = disk.open();
      await using boundary = open(scene);
      const created: string[] = [];
      const spellings = [
        ...spellingsOfName('.env'),
        ...spellingsOfName('.git').map((git) => `${git}/hooks/x`),
      ];
      for (const spelled of spellings.filter((_, index) => index % stride === 0)) {
        mkdirSync(`${scene.path}/new`);
        await quietly(boundary.write(`new/${spelled}`, 'PLANTED', { parents: true }));
        created.push(...deniedNames(`${scene.path}/new`).map((name) => `${name} by ${spelled}`));
        rmSync(`${scene.path}/new`, { recursive: true });
      }
      expect(created).toEqual([]);
      expect(contentsOf(scene)).toEqual(untouched);
    });

    test('a link whose text has another spelling leads to no secret', async (context) => {
      using scene = disk.open();
      await using boundary = open(scene);
      const passed: string[] = [];
      const spellings = ['.env', '.ssh/id']
        .flatMap(spellingsOf)
        .filter((path) => scene.control(path) !== undefined);
      for (const [turn, spelled] of spellings.entries()) {
        if (turn % stride !== 0) continue;
        if (!canLink(spelled, `${scene.path}/link`)) return context.skip('this disk has no links');
        passed.push(...(await tryAttacks(boundary, 'link', ['reading'], turn)));
        unlinkSync(`${scene.path}/link`);
      }
      // A link itself may be looked at.
      expect(passed.filter((attack) => !attack.startsWith('lstat'))).toEqual([]);
    });

    test('what is not denied is had under each of its names', async () => {
      using scene = disk.open();
      await using boundary = open(scene);
      for (const spelled of spellingsOf('plain.txt')) {
        if (/\/\.?$/.test(spelled) || scene.control(spelled) === undefined) continue;
        expect([spelled, await boundary.readText(spelled)]).toEqual([spelled, 'plain']);
      }
    });
  });
}

function canLink(text: string, path: string): boolean {
  try {
    symlinkSync(text, path);
    return true;
  } catch {
    return false;
  }
}

async function quietly(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}
