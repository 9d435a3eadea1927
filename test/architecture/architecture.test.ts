import { describe, expect, test } from 'vitest';
import { aFileEarnsItsName } from './a-file-earns-its-name.ts';
import { commentsNameThings } from './comments-name-things.ts';
import { doorsOnlyReExport } from './doors-only-re-export.ts';
import { exportsHaveNames } from './exports-have-names.ts';
import { filesOnlyInBoundary } from './files-only-in-boundary.ts';
import { foldersAreDocumented } from './folders-are-documented.ts';
import { foldersStaySmall } from './folders-stay-small.ts';
import { importsPointOneWay } from './imports-point-one-way.ts';
import { namesSayWhat } from './names-say-what.ts';
import { noImportCycles } from './no-import-cycles.ts';
import { noModuleState } from './no-module-state.ts';
import { objectsAreReadInOneWay } from './objects-are-read-in-one-way.ts';
import { oneNameOneThing } from './one-name-one-thing.ts';
import { programsStartInOnePlace } from './programs-start-in-one-place.ts';
import { readTree } from './read-tree.ts';
import { plant, type SourceTree, type Violation } from './source-tree.ts';
import { subRoomsPointOneWay } from './sub-rooms-point-one-way.ts';
import { supportHasAHome } from './support-has-a-home.ts';
import { tailsStayShort } from './tails-stay-short.ts';
import { testsSitBeside } from './tests-sit-beside.ts';
import { wordsAreKnown } from './words-are-known.ts';

type Files = Readonly<Record<string, string>>;

interface RuleCase {
  readonly rule: (tree: SourceTree) => Violation[];
  /** Planted trees, each with exactly one violation. */
  readonly refused: Readonly<Record<string, Files>>;
  readonly allowed: Readonly<Record<string, Files>>;
}

const cases: Readonly<Record<string, RuleCase>> = {
  'imports point one way between rooms': {
    rule: importsPointOneWay,
    refused: {
      'a static import of a higher room': { 'src/path/a.ts': `import { b } from '../boundary/b.ts';` },
      'a side-effect import': { 'src/path/a.ts': `import '../cli/b.ts';` },
      'a type import': { 'src/errors.ts': `import type { A } from './path/a.ts';` },
      'an import type': { 'src/errors.ts': `export type A = import('./path/a.ts').A;` },
      'a re-export': { 'src/policy/a.ts': `export { b } from '../access.ts';` },
      'a dynamic import': { 'src/config/a.ts': `const b = await import('../server/b.ts');` },
      'a dynamic import of a template': { 'src/config/a.ts': 'await import(`../server/b.ts`);' },
      'a require': { 'src/config/a.ts': `const b = require('../server/b.ts');` },
      'an import through the name of the package': {
        'src/path/a.ts': `import { b } from 'rootward/server';`,
      },
      'a server that imports the client': { 'src/server/a.ts': `import { b } from '../client/b.ts';` },
      'a client that imports the server': { 'src/client/a.ts': `import { b } from '../server/index.ts';` },
      'public names from a room above them': {
        'src/index.ts': `export { attach } from './server/attach.ts';`,
      },
      'a room that imports testing': { 'src/cli/a.ts': `import { b } from '../testing/b.ts';` },
      'a test that imports a higher room': { 'src/path/a.test.ts': `import { b } from '../cli/b.ts';` },
      'a folder without a place': { 'src/shed/a.ts': '' },
      'a top-level file without a place': { 'src/shed.ts': '' },
    },
    allowed: {
      'lower rooms, the own room and packages': {
        'src/boundary/a.ts': `import { b } from '../path/b.ts'; import './c.ts'; import 'node:path';`,
        'src/errors.ts': `import { quote } from './quote.ts';`,
        'src/access.ts': `import { b } from './audit/b.ts';`,
        'src/index.ts': `export { a } from './sessions/a.ts'; export { b } from './access.ts';`,
        'src/tools/a.ts': `import { b } from '../server/index.ts'; import { c } from '../client/c.ts';`,
        'src/cli/main.ts': `const web = await import('../web/page.ts');`,
      },
      'testing for tests, and everything for testing': {
        'src/path/a.test.ts': `import { tempTree } from '../testing/temp-tree.ts';`,
        'src/testing/a.ts': `import { attach } from '../server/attach.ts'; import '../cli/main.ts';`,
      },
    },
  },
  'node:fs is imported only in boundary': {
    rule: filesOnlyInBoundary,
    refused: {
      'node:fs': { 'src/config/a.ts': `import { readFileSync } from 'node:fs';` },
      fs: { 'src/access.ts': `import * as fs from 'fs';` },
      'node:fs/promises': { 'src/web/a.ts': `const fs = await import('node:fs/promises');` },
      'fs/promises': { 'src/cli/a.ts': `export { readFile } from 'fs/promises';` },
      'a type of node:fs': { 'src/path/a.ts': `import type { Stats } from 'node:fs';` },
      'a required fs': { 'src/path/a.ts': `const fs = require('node:fs');` },
      'a built-in module by name': { 'src/path/a.ts': `const fs = process.getBuiltinModule('fs');` },
      'a computed import': { 'src/path/a.ts': `const fs = await import(['node', 'fs'].join(':'));` },
    },
    allowed: {
      'the boundary, tests and testing': {
        'src/boundary/a.ts': `import { openSync } from 'node:fs';`,
        'src/config/a.test.ts': `import { readFileSync } from 'node:fs';`,
        'src/testing/temp-tree.ts': `import { mkdir } from 'node:fs/promises';`,
      },
      'modules that only sound like it': { 'src/config/a.ts': `import 'node:path'; import './fs.ts';` },
    },
  },
  'node:child_process is imported only where programs start': {
    rule: programsStartInOnePlace,
    refused: {
      'a tool': { 'src/tools/shell.ts': `import { spawn } from 'node:child_process';` },
      'without its scheme': { 'src/serve/a.ts': `import { fork } from 'child_process';` },
      'a lazy import': { 'src/web/a.ts': `const { exec } = await import('node:child_process');` },
      'a type': { 'src/serve/a.ts': `import type { ChildProcess } from 'node:child_process';` },
      'a built-in module by name': {
        'src/http/a.ts': `const { exec } = process.getBuiltinModule('child_process');`,
      },
      'another folder of the boundary': { 'src/boundary/read/a.ts': `import 'node:child_process';` },
    },
    allowed: {
      'confinement, commands, tests and testing': {
        'src/boundary/process/a.ts': `import { spawn } from 'node:child_process';`,
        'src/cli/commands/a.ts': `import { spawn } from 'node:child_process';`,
        'src/testing/a.ts': `import { spawn } from 'node:child_process';`,
        'src/tools/a.test.ts': `import { spawn } from 'node:child_process';`,
      },
    },
  },
  'objects from outside are read by zod or base/fields': {
    rule: objectsAreReadInOneWay,
    refused: {
      'a question by hand': { 'src/path/a.ts': `const a = typeof b === 'object' && b !== null;` },
      'its opposite': { 'src/path/a.ts': `if (typeof b !== 'object') throw b;` },
      'the loose form': { 'src/path/a.ts': `if (typeof b == 'object') throw b;` },
      'the other way around': { 'src/path/a.ts': `if ('object' === typeof b) throw b;` },
      'a switch': { 'src/path/a.ts': `switch (typeof b) { case 'object': throw b; }` },
    },
    allowed: {
      'base/fields, and tests': {
        'src/base/fields.ts': `export const isObject = (b) => typeof b === 'object' && b !== null;`,
        'src/path/a.test.ts': `if (typeof b === 'object') throw b;`,
      },
      'questions about texts': { 'src/path/a.ts': `if (typeof b === 'string') throw b;` },
    },
  },
  'no file imports itself over others': {
    rule: noImportCycles,
    refused: {
      'two files': {
        'src/path/a.ts': `import { b } from './b.ts';`,
        'src/path/b.ts': `import { a } from './a.ts';`,
      },
      'three files, one of them for its types': {
        'src/path/a.ts': `import type { B } from './b.ts';`,
        'src/path/b.ts': `export { c } from './c.ts';`,
        'src/path/c.ts': `const a = await import('./a.js');`,
      },
      'a file and itself': { 'src/path/a.ts': `import { a } from './a.ts';` },
    },
    allowed: {
      'two ways to one file': {
        'src/path/a.ts': `import './b.ts'; import './c.ts';`,
        'src/path/b.ts': `import './d.ts';`,
        'src/path/c.ts': `import './d.ts';`,
        'src/path/d.ts': '',
      },
    },
  },
  'what serves tests has a home': {
    rule: supportHasAHome,
    refused: {
      'a function beside the tests that use it': { 'test/e2e/serve/start.ts': '' },
      'a program that tests start': { 'test/e2e/serve/child.mjs': '' },
      'a function at the top': { 'test/list-tree.ts': '' },
      'a function below the rules': { 'test/architecture/trees/a.ts': '' },
      'a test that imports one from elsewhere': {
        'src/path/a.test.ts': `import { b } from '../../test/matrix/b.test.ts';`,
      },
      'a test that imports a script': { 'src/path/a.test.ts': `import { b } from '../../scripts/b.ts';` },
      'a source that imports support': { 'src/path/a.ts': `import { b } from '../../test/support/b.ts';` },
      'a source that needs the runner of tests': { 'src/path/a.ts': `import { expect } from 'vitest';` },
    },
    allowed: {
      'support, tests, data and the rules': {
        'test/support/trees/a.ts': '',
        'test/support/processes/child.mjs': '',
        'test/e2e/serve/a.test.ts': `import { a } from '../../support/trees/a.ts';`,
        'test/data/cases.json': '{}',
        'test/architecture/a.ts': '',
        'src/testing/a.ts': '',
      },
      'a test that imports source, support, packages and data': {
        'src/path/a.test.ts': `
          import { test } from 'vitest';
          import { a } from './a.ts';
          import { b } from '../testing/b.ts';
          import { c } from '../../test/support/trees/c.ts';
          import cases from '../../test/data/cases.json';`,
      },
    },
  },
  'every file has its test beside it': {
    rule: testsSitBeside,
    refused: {
      'a function': { 'src/path/a.ts': 'export function a(): void {}' },
      'a constant beside types': { 'src/path/a.ts': 'export type A = 1; export const a = 1;' },
      'an import for its effect': { 'src/path/a.ts': `import './b.ts';` },
      'an enum': { 'src/path/a.ts': 'export enum A { b }' },
      'a test in another folder': {
        'src/path/a.ts': 'export const a = 1;',
        'test/path/a.test.ts': '',
      },
    },
    allowed: {
      'a test beside it': { 'src/path/a.ts': 'export const a = 1;', 'src/path/a.test.ts': '' },
      'types alone': {
        'src/path/a.ts': `
          import type { B } from './b.ts';
          import { type C } from './c.ts';
          export type { D } from './d.ts';
          export { type E } from './e.ts';
          export interface A { b: B; c: C }
          export type F = A;
          declare const g: number;
          declare function h(): void;
          export {};`,
      },
      'a door': { 'src/path/index.ts': `export { a } from './a.ts';` },
    },
  },
  'index files hold nothing but named re-exports': {
    rule: doorsOnlyReExport,
    refused: {
      'a declaration': { 'src/index.ts': 'export const a = 1;' },
      'an import': { 'src/server/index.ts': `import { a } from './a.ts'; export { b } from './b.ts';` },
      'an export from nowhere': { 'src/server/index.ts': 'export {};' },
      'export *': { 'src/server/index.ts': `export * from './a.ts';` },
      'export * as': { 'src/server/index.ts': `export * as a from './a.ts';` },
    },
    allowed: {
      'names and types': {
        'src/index.ts': `export { a, type B } from './a.ts'; export type { C } from './c.ts';`,
      },
      'declarations elsewhere': { 'src/path/a.ts': 'export const a = 1;' },
    },
  },
  'one name for one thing': {
    rule: oneNameOneThing,
    refused: {
      'a function in two rooms': {
        'src/path/a.ts': 'export function check() {}',
        'src/policy/b.ts': 'export const check = 1;',
      },
      'a type in two files': {
        'src/path/a.ts': 'export interface Place {}',
        'src/path/b.ts': 'export type Place = string;',
      },
      'a name given at the end': {
        'src/path/a.ts': 'const a = 1; export { a as place };',
        'src/path/b.ts': 'export class place {}',
      },
      'two files of one name': { 'src/path/place.ts': '', 'src/web/page/place.tsx': '' },
    },
    allowed: {
      'doors, tests, and what a file passes on': {
        'src/index.ts': `export { check } from './path/a.ts';`,
        'src/client/index.ts': `export { check } from '../path/a.ts';`,
        'src/path/a.ts': 'export function check() {}',
        'src/path/a.test.ts': 'export const check = 1;',
        'src/web/b.ts': `export { check } from '../path/a.ts';`,
      },
      'a value and its type, and names inside files': {
        'src/path/a.ts': 'export const place = 1; export type place = typeof place; interface Told {}',
        'src/path/b.ts': 'interface Told {}',
      },
    },
  },
  'words are known': {
    rule: wordsAreKnown,
    refused: {
      'a type of one word without a meaning': { 'src/path/a.ts': 'export interface Root {}' },
      'a class of one word': { 'src/path/a.ts': 'export class Root {}' },
      'a word outside of its section': {
        'src/path/a.ts': 'export type Root = string;',
        'ARCHITECTURE.md': '**Root** is granted.\n\n## Words\n\n## State\n\n**Root**',
      },
      'a word without a type': { 'ARCHITECTURE.md': '## Words\n\n- **Root** is granted.' },
      'a word with two meanings': {
        'src/path/a.ts': 'export type Root = string;',
        'ARCHITECTURE.md': '## Words\n\n- **Root** is granted.\n- **Root** is the top.',
      },
    },
    allowed: {
      'known words, more than one word, values, and types inside files': {
        'src/path/a.ts': 'export interface Root {} export type RootName = string; export const Home = 1;',
        'src/path/b.ts': 'interface Told {}',
        'src/path/a.test.ts': 'export interface Told {}',
        'ARCHITECTURE.md': '## Words\n\n- **Root** is granted. **RootName** is its name.',
      },
    },
  },
  'exports have names': {
    rule: exportsHaveNames,
    refused: {
      'a default export': { 'src/path/a.ts': 'export default 1;' },
      'a default export by name': { 'src/path/a.ts': 'const a = 1; export { a as default };' },
      'a default passed on': { 'src/path/a.ts': `export { default } from './b.ts';` },
      'export *': { 'src/path/a.ts': `export * from './b.ts';` },
      'export * as': { 'src/path/a.ts': `export * as b from './b.ts';` },
      'export type *': { 'src/path/a.ts': `export type * from './b.ts';` },
    },
    allowed: {
      'named exports': { 'src/path/a.ts': `export const a = 1; export { b } from './b.ts';` },
      'a default import': { 'src/path/a.ts': `import fc from 'fast-check'; export const a = fc;` },
    },
  },
  'ARCHITECTURE.md and the tree name the same folders': {
    rule: foldersAreDocumented,
    refused: {
      'a folder that is gone': { 'ARCHITECTURE.md': 'In `path/` and `src/gone/`.', 'src/path/a.ts': '' },
      'a room that nobody wrote about': { 'ARCHITECTURE.md': 'Nothing.', 'src/path/a.ts': '' },
      'a room that only a code block shows': {
        'ARCHITECTURE.md': '```\nsrc/\n  `path/`\n```',
        'src/path/a.ts': '',
      },
      'no document at all': { 'src/path/a.ts': '' },
    },
    allowed: {
      'rooms, nested folders and folders beside src/': {
        'ARCHITECTURE.md':
          'See `path/`, `src/boundary/`, `boundary/posix/`, `test/` and `https://x.example/`.',
        'src/path/a.ts': '',
        'src/boundary/posix/a.ts': '',
        'test/a.ts': '',
      },
    },
  },
  'no state at the top of a file': {
    rule: noModuleState,
    refused: {
      let: { 'src/path/a.ts': 'let count = 0;' },
      var: { 'src/path/a.ts': 'var count = 0;' },
      'an exported let': { 'src/path/a.ts': 'export let count = 0;' },
    },
    allowed: {
      'constants, and variables within functions': {
        'src/path/a.ts': 'const a = 1; export function b(): void { let c = a; c += 1; }',
      },
      'a test': { 'src/path/a.test.ts': 'let count = 0;' },
    },
  },
  'a folder holds a handful of sources': {
    rule: foldersStaySmall,
    refused: {
      'a crowd': files(16, (index) => `src/path/a${index}.ts`),
      'a crowd in a sub-room': files(16, (index) => `src/server/call/a${index}.ts`),
      'a sub-room that is a detour': { 'src/server/call/a.ts': '', 'src/server/call/b.ts': '' },
    },
    allowed: {
      'fifteen sources and their tests': files(30, (index) =>
        index < 15 ? `src/path/a${index}.ts` : `src/path/a${index - 15}.test.ts`,
      ),
      'three sources in a sub-room': files(3, (index) => `src/server/call/a${index}.ts`),
      'a room of one file': { 'src/path/a.ts': '' },
    },
  },
  'sub-rooms point one way': {
    rule: subRoomsPointOneWay,
    refused: {
      'a value from the top of the room': {
        'src/server/call/a.ts': `import { b } from '../b.ts';`,
        'src/server/b.ts': '',
      },
      'two sub-rooms that import each other': {
        'src/server/call/a.ts': `import { b } from '../sdk/b.ts';`,
        'src/server/sdk/c.ts': `import { d } from '../call/d.ts';`,
      },
      'three sub-rooms in a circle': {
        'src/server/call/a.ts': `import { b } from '../sdk/b.ts';`,
        'src/server/sdk/c.ts': `export { d } from '../compose/d.ts';`,
        'src/server/compose/e.ts': `const f = await import('../call/f.ts');`,
      },
    },
    allowed: {
      'assembly at the top': { 'src/server/a.ts': `import { b } from './call/b.ts';` },
      'types any way': {
        'src/server/call/a.ts': `import type { B } from '../b.ts'; import { type C } from '../sdk/c.ts';`,
        'src/server/sdk/c.ts': `import { a } from '../call/a.ts';`,
      },
      'tests any way': { 'src/server/call/a.test.ts': `import { b } from '../b.ts';` },
    },
  },
  'tails stay short': {
    rule: tailsStayShort,
    refused: {
      'a long file among few': { 'src/path/a.ts': 'export const a = 1;\n'.repeat(251) },
      'a long function': { 'src/path/a.ts': `function a() {${'\n'.repeat(30)}}` },
      'a long method': { 'src/path/a.ts': `class A { b() {${'\n'.repeat(30)}} }` },
      'a long arrow function': { 'src/path/a.ts': `const a = () => {${'\n'.repeat(30)}};` },
    },
    allowed: {
      'what is as long as it may be': {
        'src/path/a.ts': 'export const a = 1;\n'.repeat(250),
        'src/path/b.ts': `function b() {${'\n'.repeat(29)}}`,
      },
      'one of twenty': {
        'src/path/a.ts': `function a() {${'\n'.repeat(30)}}${'function b() {}'.repeat(19)}`,
      },
      'a long test': { 'src/path/a.test.ts': 'test();\n'.repeat(251) },
    },
  },
  'a file earns its name': {
    rule: aFileEarnsItsName,
    refused: {
      'a short file with one importer beside it': {
        'src/path/a.ts': `import { b } from './b.ts';`,
        'src/path/b.ts': 'export const b = 1;',
      },
      'the same, and its test': {
        'src/path/a.ts': `import { b } from './b.ts';`,
        'src/path/b.ts': 'export const b = 1;',
        'src/path/b.test.ts': `import { b } from './b.ts';`,
      },
    },
    allowed: {
      'two importers': {
        'src/path/a.ts': `import { b } from './b.ts';`,
        'src/path/c.ts': `import { b } from './b.ts';`,
        'src/path/b.ts': 'export const b = 1;',
      },
      'an importer in another folder': {
        'src/server/a.ts': `import { b } from '../path/b.ts';`,
        'src/path/b.ts': 'export const b = 1;',
      },
      'a long file': {
        'src/path/a.ts': `import { b } from './b.ts';`,
        'src/path/b.ts': 'export const b = 1;\n'.repeat(41),
      },
      'a lazy import': {
        'src/path/a.ts': `const b = await import('./b.ts');`,
        'src/path/b.ts': 'export const b = 1;',
      },
      'what a door names': {
        'src/server/index.ts': `export { a } from './a.ts';`,
        'src/server/a.ts': 'export const a = 1;',
      },
      'a row of a table, a driver, a door': {
        'src/tools/files/a.ts': `import './b.ts';`,
        'src/tools/files/b.ts': '',
        'src/boundary/step/a.ts': `import './proc-driver.ts';`,
        'src/boundary/step/proc-driver.ts': '',
        'src/server/a.ts': `import './index.ts';`,
        'src/server/index.ts': '',
      },
    },
  },
  'comments name things': {
    rule: commentsNameThings,
    refused: {
      'a subject that does not exist': { 'src/path/a.ts': '/** Whoever comes last goes first. */' },
      'the same in the middle of a sentence': { 'src/path/a.ts': '// Closes it: nobody reads it.' },
      'the same behind code': { 'src/path/a.ts': 'const a = 1; // somebody needs it' },
      'a sentence that begins with What': { 'src/path/a.ts': '/** What the client sent. */' },
      'a sentence within several lines': {
        'src/path/a.ts': '/**\n * Reads it once, and\n * nobody waits.\n */',
      },
      'a sentence that begins with Who': { 'src/path/a.ts': '// Read once. Who asks again waits.' },
    },
    allowed: {
      'a subject that exists': { 'src/path/a.ts': '/** The roots that the client sent. */' },
      'a question, and the words elsewhere': {
        'src/path/a.ts': `// Who is asked first?\nconst a = 'nobody'; // the user of that name; it is what runs`,
      },
      'a test': { 'src/path/a.test.ts': '// What nobody reads.' },
    },
  },
  'files are named after what is in them': {
    rule: namesSayWhat,
    refused: {
      'a file of utilities': { 'src/path/path-utils.ts': '' },
      'a folder of helpers': { 'src/helpers/a.ts': '' },
      'a manager': { 'src/server/manager.ts': '' },
    },
    allowed: { 'words that contain others': { 'src/path/utility-knife.ts': '', 'src/path/managed.ts': '' } },
  },
};

/** Empty files with numbered names. */
function files(count: number, name: (index: number) => string): Files {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), '']));
}

const repositoryTree = readTree();

describe.each(Object.entries(cases))('%s', (_title, { rule, refused, allowed }) => {
  test('in this repository', () => {
    expect(rule(repositoryTree)).toEqual([]);
  });

  test.each(Object.entries(refused))('refuses %s', (_case, files) => {
    expect(rule(plant(files))).toHaveLength(1);
  });

  test.each(Object.entries(allowed))('allows %s', (_case, files) => {
    expect(rule(plant(files))).toEqual([]);
  });
});

describe('a violation', () => {
  test('names file, line, rule and both rooms', () => {
    const tree = plant({ 'src/path/a.ts': `\nimport { b } from '../boundary/b.ts';` });
    expect(importsPointOneWay(tree)).toEqual([
      {
        file: 'src/path/a.ts',
        rule: 'imports-point-one-way',
        message: 'line 2: "path" may not import "boundary" (src/boundary/b.ts)',
      },
    ]);
  });

  test('shows the whole cycle, once', () => {
    const tree = plant({ 'src/path/a.ts': `import './b.ts';`, 'src/path/b.ts': `import './a.ts';` });
    expect(noImportCycles(tree).map(({ message }) => message)).toEqual([
      'src/path/a.ts → src/path/b.ts → src/path/a.ts',
    ]);
  });

  test('is not hidden by a file that cannot be parsed', () => {
    expect(() => noModuleState(plant({ 'src/path/a.ts': 'const = ;' }))).toThrow(
      'Cannot parse src/path/a.ts',
    );
  });
});

describe('the tree', () => {
  test('holds this file and none of the installed packages', () => {
    expect(repositoryTree.has('test/architecture/architecture.test.ts')).toBe(true);
    expect([...repositoryTree.keys()].filter((file) => file.startsWith('node_modules/'))).toEqual([]);
  });
});
