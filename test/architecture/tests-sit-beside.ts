import { emitsCode } from './emits-code.ts';
import { isTest, type SourceTree, sourceFiles, type Violation } from './source-tree.ts';

const rule = 'tests-sit-beside';

/**
 * `x.ts` has `x.test.ts` beside it, unless it holds types alone or is an `index.ts`. Components (`x.tsx`) need a
 * browser: their tests are the flows in `test/e2e/web/`.
 */
export function testsSitBeside(tree: SourceTree): Violation[] {
  return [...sourceFiles(tree)]
    .filter(([file, text]) => needsTest(file, text) && !tree.has(testOf(file)))
    .map(([file]) => ({ file, rule, message: `${testOf(file)} is missing` }));
}

function needsTest(file: string, text: string): boolean {
  return !isTest(file) && !/(?:^|\/)index\.ts$|\.tsx$/.test(file) && emitsCode(file, text);
}

function testOf(file: string): string {
  return file.replace(/\.[^.]+$/, '.test.ts');
}
