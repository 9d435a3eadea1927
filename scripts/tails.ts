import { readTree } from '../test/architecture/read-tree.ts';
import { measureTails, tailsStayShort } from '../test/architecture/tails-stay-short.ts';

/** Prints how long files and functions are, and fails where they are too long. */
const tree = readTree(process.cwd());
console.table(measureTails(tree));
for (const { message } of tailsStayShort(tree)) {
  console.error(message);
  process.exitCode = 1;
}
