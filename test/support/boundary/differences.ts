import { operations } from './operations.ts';

/** A way in which a boundary differs from `node:fs` on purpose. */
export interface Difference {
  readonly why: string;
  readonly operations: readonly string[];
  /** Every path, if none are named. */
  readonly paths?: readonly string[];
  /** Does not occur to root, to whom permissions mean nothing. */
  readonly asUser?: boolean;
  /** What the boundary says; `done` if it does it. */
  readonly ours: readonly string[];
  /** What the plain counterpart says; `blocks` if it would wait for ever and is not tried. */
  readonly plain: readonly string[];
}

const opening = ['open', 'readText', 'readText of the last lines', 'readBytes', 'readStream', 'update'];
const copyingFrom = ['copy from', 'copy into another boundary'];
const creatingNew = ['write of a new file', 'copy to', 'copy out of another boundary'];
const creating = [
  ...creatingNew,
  'write',
  'write with parents',
  'append',
  'openLog',
  'lock',
  'copy to, replacing',
];
const renamingTo = ['rename to', 'rename out of another boundary'];
const renaming = ['rename from', 'rename into another boundary', 'rename to, replacing', ...renamingTo];
const removing = ['remove', 'remove of a tree'];

/** What waits for the other end of a FIFO. */
export const blockingOperations: readonly string[] = [...opening, ...copyingFrom, ...creating];

const pathBeyondLimit = `${'./'.repeat(2_500)}target`;

export const differences: readonly Difference[] = [
  {
    why: 'a rename replaces nothing unless it is asked to',
    operations: renamingTo,
    ours: ['ALREADY_EXISTS'],
    plain: ['done', 'IS_A_DIRECTORY'],
  },
  {
    why: 'the root is never written, renamed, removed, or given a mode',
    operations: [...creating, ...renaming, ...removing, 'changeMode'],
    paths: ['.', './', './/.', 'dir/..', 'dirlink/..', 'dir/here/..', 'missing/..'],
    ours: ['IS_ROOT'],
    plain: ['done', 'IS_A_DIRECTORY', 'ALREADY_EXISTS', 'NOT_POSSIBLE', 'NOT_EMPTY', 'BUSY'],
  },
  {
    why: 'a file spelled as a directory is told so; open(2) with O_CREAT only sees the slash',
    operations: creating,
    paths: ['target/', 'missing/', 'link/', 'slashlink', 'dangling/', 'loop/'],
    ours: ['NOT_A_DIRECTORY', 'TOO_MANY_LINKS'],
    plain: ['IS_A_DIRECTORY', 'ALREADY_EXISTS'],
  },
  {
    why: 'what is in the way of a new file is told if it is a directory',
    operations: creatingNew,
    ours: ['IS_A_DIRECTORY'],
    plain: ['ALREADY_EXISTS'],
  },
  {
    why: 'a probe tells where a free name would be',
    operations: ['probe'],
    paths: ['missing', 'missing/', 'missing/.', 'dir/new', 'dirlink/new', 'dangling', 'dangling/'],
    ours: ['done'],
    plain: ['NOT_FOUND'],
  },
  {
    why: 'a file that is replaced keeps its mode',
    operations: ['copy to, replacing'],
    paths: ['private', 'shared', 'read-only', 'program'],
    ours: ['done'],
    plain: ['done'],
  },
  {
    why: 'the umask holds for a copy as for every new file',
    operations: copyingFrom,
    paths: ['shared'],
    ours: ['done'],
    plain: ['done'],
  },
  {
    why: 'a new file may be the target of a link: what counts is whether the target exists',
    operations: creatingNew,
    paths: ['dangling', 'dangling below', 'loop', 'ping', '41 links'],
    ours: ['done', 'NOT_FOUND', 'TOO_MANY_LINKS'],
    plain: ['ALREADY_EXISTS'],
  },
  {
    why: 'missing directories are made on the way through a link, too',
    operations: ['write with parents', 'makeDirectory with parents'],
    paths: ['dangling', 'dangling/', 'dangling/x', 'dangling below'],
    ours: ['done'],
    plain: ['NOT_FOUND'],
  },
  {
    why: 'a dot at the end means the directory before it; the system refuses the spelling',
    operations: [...removing, ...renaming],
    paths: ['dir/.', 'dirlink/.', 'empty/.', 'dir/sub/..', 'sublink/..'],
    ours: ['done', 'NOT_EMPTY', 'NOT_A_DIRECTORY'],
    plain: ['NOT_POSSIBLE', 'BUSY'],
  },
  {
    why: 'a tree named by way of its own child goes as a whole; Node loses the way and leaves it empty',
    operations: ['remove of a tree'],
    paths: ['dir/sub/..', 'sublink/..'],
    ours: ['done'],
    plain: ['done'],
  },
  {
    why: 'a dot behind a name that is missing makes it a directory, and no file can be one',
    operations: [...creating, ...renaming],
    paths: ['missing/.'],
    ours: ['NOT_A_DIRECTORY'],
    plain: ['NOT_FOUND', 'IS_A_DIRECTORY'],
  },
  {
    why: 'a directory can be made with a slash or a dot behind its name',
    operations: ['makeDirectory'],
    paths: ['missing/.'],
    ours: ['done'],
    plain: ['NOT_FOUND'],
  },
  {
    why: 'a name that is taken is told first',
    operations: ['makeDirectory'],
    paths: ['target/.', 'link/.'],
    ours: ['ALREADY_EXISTS'],
    plain: ['NOT_A_DIRECTORY'],
  },
  {
    why: 'a file on the way is no directory; Node says that the directory exists',
    operations: ['write with parents'],
    paths: ['target/.', 'target/x', 'target/..', 'link/.', 'link/x', 'link/..'],
    ours: ['NOT_A_DIRECTORY'],
    plain: ['ALREADY_EXISTS'],
  },
  {
    why: 'a link is no directory, wherever it leads',
    operations: removing,
    paths: ['dangling/', 'loop/'],
    ours: ['NOT_A_DIRECTORY'],
    plain: ['NOT_FOUND', 'TOO_MANY_LINKS'],
  },
  {
    why: 'FIFOs, sockets and devices are refused unopened',
    operations: [...blockingOperations, 'changeMode'],
    paths: ['pipe', 'pipelink', 'socket'],
    ours: ['SPECIAL_FILE'],
    plain: ['blocks', 'ENXIO', 'ALREADY_EXISTS', 'done'],
  },
  {
    why: 'a FIFO spelled as a directory is not opened to find out',
    operations: blockingOperations,
    paths: ['pipe/'],
    ours: ['NOT_A_DIRECTORY'],
    plain: ['blocks'],
  },
  {
    why: 'stepping needs no PATH_MAX',
    operations: operations.map(({ name }) => name),
    paths: [pathBeyondLimit],
    ours: ['done', 'NOT_A_DIRECTORY', 'ALREADY_EXISTS'],
    plain: ['NAME_TOO_LONG'],
  },
  {
    why: 'what a thing is can be told without the permission to open it',
    operations: [...opening, ...copyingFrom],
    paths: ['locked'],
    asUser: true,
    ours: ['IS_A_DIRECTORY'],
    plain: ['NO_PERMISSION'],
  },
  {
    why: 'a walk leaves out what it cannot read, and counts it',
    operations: ['walk'],
    paths: ['locked'],
    asUser: true,
    ours: ['done'],
    plain: ['NO_PERMISSION'],
  },
  {
    why: 'a file is replaced, not written to: what counts is the permission for its directory',
    operations: ['write', 'write with parents', 'update', 'copy to, replacing'],
    paths: ['read-only'],
    asUser: true,
    ours: ['done'],
    plain: ['NO_PERMISSION'],
  },
  {
    why: 'the path driver has to open what it gives a mode',
    operations: ['changeMode'],
    paths: ['locked'],
    asUser: true,
    ours: ['NO_PERMISSION'],
    plain: ['done'],
  },
];
