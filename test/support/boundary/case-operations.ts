import type { BoundaryOperation } from './boundary-operation.ts';
import { operations } from './operations.ts';

/** What the operations of the case file are called in our table. */
const names: Readonly<Record<string, string>> = {
  read: 'readText',
  'read-bytes': 'readBytes',
  stream: 'readStream',
  open: 'open',
  probe: 'probe',
  stat: 'stat',
  lstat: 'lstat',
  readlink: 'lstat',
  list: 'list',
  readdir: 'list',
  walk: 'walk',
  search: 'walk',
  watch: 'watch',
  write: 'write',
  create: 'write of a new file',
  append: 'append',
  log: 'openLog',
  mkdir: 'makeDirectory',
  'mkdir-p': 'makeDirectory with parents',
  remove: 'remove',
  unlink: 'remove',
  rmdir: 'remove',
  'remove-tree': 'remove of a tree',
  rm: 'remove of a tree',
  chmod: 'changeMode',
  rename: 'rename from',
  'rename-from': 'rename from',
  'rename-into': 'rename to',
  'rename-to': 'rename to',
  'rename-onto': 'rename to, replacing',
  move: 'rename from',
  copy: 'copy from',
  'copy-from': 'copy from',
  'copy-into': 'copy to',
  'copy-to': 'copy to',
  'copy-onto': 'copy to, replacing',
};

/** The operation of a case; an unknown name is an error, not a case that passes. */
export function operationOf(op: string | undefined): BoundaryOperation {
  const name = names[op ?? ''];
  const operation = operations.find((each) => each.name === name);
  if (operation === undefined) throw new Error(`No operation is called ${op}`);
  return operation;
}
