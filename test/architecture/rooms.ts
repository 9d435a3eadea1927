/**
 * The rooms from the ground up: each may import what stands on an earlier line, and never its neighbour on
 * its own line. `index` is the file of public names, not the doors inside the rooms. `testing` stands on top,
 * so it may import everything, and only test files may import it.
 */
const roomOrder: readonly (readonly string[])[] = [
  ['base'],
  ['errors'],
  ['path'],
  ['boundary'],
  ['workspace'],
  ['policy'],
  ['audit'],
  ['access'],
  ['config'],
  ['sessions'],
  ['index'],
  ['server', 'client'],
  ['tools'],
  ['http'],
  ['gateway'],
  ['web'],
  ['serve'],
  ['cli'],
  ['testing'],
];

/** A room is a folder of `src/`, or a file directly in it together with its test. */
export function roomOf(file: string): string | undefined {
  return /^src\/([^/.]+)/.exec(file)?.[1];
}

/** How high a room stands, or -1 if it has no place. */
export function levelOf(room: string): number {
  return roomOrder.findIndex((rooms) => rooms.includes(room));
}
