import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lchownSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { isOwnPlace } from '../../../src/boundary/look/other-writer.ts';
import { type TempTree, tempTree } from '../../../src/testing/temp-tree.ts';
import { attackScale, attackSeed, createRandom } from '../../support/race/seed.ts';

const attacker = 65_534;
const owners = [0, 0, 0, 0, 0, 0, 0, attacker, 54_321] as const;
const modes = [
  0o700, 0o755, 0o755, 0o755, 0o755, 0o755, 0o755, 0o711, 0o775, 0o707, 0o777, 0o1777, 0o1775, 0o3777,
] as const;
const fileModes = [0o600, 0o644, 0o644, 0o664, 0o606] as const;

/**
 * All that a user can do to a place: write to it and into it, and put something else where it or a directory above
 * it is.
 */
const script = `
for path; do
  [ -d "$path" ] && echo evil > "$path/file"
  [ -d "$path" ] && echo evil > "$path/added"
  [ -f "$path" ] && echo evil > "$path"
  mv "$path" "$path.away" && mkdir -p "$path" && echo evil > "$path/file"
done 2>/dev/null`;

interface Place {
  readonly tree: TempTree;
  /** The directory of ours; its file says `own`. */
  readonly asked: string;
  /** Everything on the way, and where links lead, the deepest first. */
  readonly way: readonly string[];
  readonly how: string;
}

/** A directory below a few others, of random owners and with random permissions, some of them links. */
function arrange(random: () => number): Place {
  const pick = <Value>(from: readonly Value[]): Value => from[Math.floor(random() * from.length)] as Value;
  const tree = tempTree();
  chmodSync(tree.path, 0o755);
  const way: string[] = [];
  const how: string[] = [];
  const settle = (path: string, mode: number | undefined): void => {
    const owner = pick(owners);
    lchownSync(path, owner, pick(owners));
    if (mode !== undefined) chmodSync(path, mode);
    way.unshift(path);
    how.push(`${path.slice(tree.path.length)} ${owner} ${mode?.toString(8) ?? 'link'}`);
  };
  let at = '';
  for (let depth = 0; depth < 1 + Math.floor(random() * 4); depth += 1) {
    const next = `${at}d${depth}`;
    if (random() < 0.25) {
      const target = `elsewhere${depth}/real`;
      tree.add(`${target}/`, `${next} => $TREE/${target}`);
      for (const path of [dirname(target), target]) settle(tree.at(path), pick(modes));
      settle(tree.at(next), undefined);
    } else {
      tree.add(`${next}/`);
      settle(tree.at(next), pick(modes));
    }
    at = `${next}/`;
  }
  tree.add(`${at}file = own`);
  settle(tree.at(`${at}file`), pick(fileModes));
  return { tree, asked: tree.at(at), way, how: how.join(', ') };
}

test.runIf(process.platform === 'linux' && process.geteuid?.() === 0)(
  'no other user can change a place that is taken for ours (needs root)',
  { timeout: 60_000 * attackScale },
  () => {
    const random = createRandom(attackSeed);
    const count = { taken: 0, changed: 0 };
    // Both have to happen, so that the one shows something about the other.
    for (let round = 0; round < 40 * attackScale || count.taken * count.changed === 0; round += 1) {
      const { tree, asked, way, how } = arrange(random);
      using _ = tree;
      const isTaken = isOwnPlace(asked) && isOwnPlace(`${asked}/file`);
      spawnSync('/bin/sh', ['-c', script, 'sh', ...way], { uid: attacker, gid: attacker });
      const isSame = readIfThere(`${asked}/file`) === 'own' && !existsSync(`${asked}/added`);
      const harm = isTaken && !isSame;
      expect({ seed: attackSeed, round, how, harm }).toMatchObject({ harm: false });
      count.taken += Number(isTaken);
      count.changed += Number(!isSame);
    }
  },
);

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
