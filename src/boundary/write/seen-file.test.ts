import { appendFileSync, closeSync, openSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { procDriver } from '../system/proc-driver.ts';
import { requireSeen, seeFile } from './seen-file.ts';

const changes = {
  'another file has its name': (path: string) => (
    writeFileSync(`${path}2`, 'A'),
    renameSync(`${path}2`, path)
  ),
  'nothing has its name': unlinkSync,
  'somebody has written to it': (path: string) => appendFileSync(path, 'more'),
} as const;

test.runIf(process.platform === 'linux').each(Object.entries(changes))('notices that %s', (_what, change) => {
  using tree = tempTree(['a.txt = A']);
  const parent = procDriver.openTop(tree.path);
  const fd = openSync(tree.at('a.txt'), 'r');
  try {
    const seen = seeFile(fd);
    const place = { driver: procDriver, parent, name: 'a.txt' };
    expect(() => requireSeen(seen, place)).not.toThrow();
    change(tree.at('a.txt'));
    expect(() => requireSeen(seen, place)).toThrow('EBUSY');
  } finally {
    closeSync(fd);
    procDriver.close(parent);
  }
});
