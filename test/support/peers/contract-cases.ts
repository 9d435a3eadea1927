import type { Arguments } from './two-servers.ts';

/** One call that both servers get. */
export interface ContractCase {
  readonly tool: string;
  readonly input: Arguments;
  /** Files to compare afterwards, in `app`. */
  readonly files?: readonly string[];
}

/** A call where ours answers otherwise, on purpose. */
export interface Difference extends ContractCase {
  readonly why: string;
  /** What both answer, in short. */
  readonly theirs: Answer;
  readonly ours: Answer;
}

/** `refused`, or the text of the result. */
export type Answer = { readonly refused: true } | { readonly text: string };

export const tree: readonly string[] = [
  'app/a.txt = one\ntwo\nthree\n',
  'app/open.txt = one\ntwo\nthree',
  'app/crlf.txt = one\r\ntwo\r\nthree\r\n',
  'app/empty.txt = ',
  'app/mark.txt = \ufeffmarked\n',
  'app/.hidden = h',
  'app/Zed = z',
  'app/ü ñ 名.txt = unicode',
  'app/code.md = ```\ncode\n```\n',
  'app/indented.ts =   if (a) {\n    b();\n  }\n',
  'app/pic.png = png',
  'app/sound.mp3 = mp3',
  'app/unknown.xyz = xyz',
  `app/large.dat = ${'x'.repeat(123_456)}`,
  `app/larger.dat = ${'y'.repeat(3_000_000)}`,
  'app/empty/',
  'app/src/x.ts = export const x = 1;\n',
  'app/src/deep/y.ts = y',
  'app/src/node_modules/k.js = k',
  'app/src-old/z.ts = z',
  'app/link => a.txt',
  'app/dirlink => src',
  'app/leaving => ../secret',
  'app/absolute => $TREE/app/a.txt',
  'app/absdir => $TREE/app/src',
  'app/absleaving => $TREE/secret',
  'secret = TOP-SECRET',
  'outside/secret.txt = TOP-SECRET',
];

const path = (name: string): Arguments => ({ path: `$TREE/app/${name}` });

const edit = (name: string, edits: readonly (readonly [string, string])[], dryRun = false): ContractCase => ({
  tool: 'edit_file',
  input: {
    ...path(name),
    edits: edits.map(([oldText, newText]) => ({ oldText, newText })),
    dryRun,
  },
  files: [name],
});

const search = (pattern: string, excludePatterns: readonly string[] = []): ContractCase => ({
  tool: 'search_files',
  input: { path: '$TREE/app/src', pattern, excludePatterns },
});

/** Field by field the same. */
export const sameCases: Readonly<Record<string, ContractCase>> = {
  'read_file reads': { tool: 'read_file', input: path('a.txt') },
  'the whole text': { tool: 'read_text_file', input: path('a.txt') },
  'the first lines': { tool: 'read_text_file', input: { ...path('a.txt'), head: 2 } },
  'more first lines than there are': { tool: 'read_text_file', input: { ...path('a.txt'), head: 9 } },
  'the first lines of a text without a last newline': {
    tool: 'read_text_file',
    input: { ...path('open.txt'), head: 3 },
  },
  'the first lines with carriage returns': {
    tool: 'read_text_file',
    input: { ...path('crlf.txt'), head: 2 },
  },
  'no lines, which means no wish': { tool: 'read_text_file', input: { ...path('a.txt'), head: 0, tail: 0 } },
  'the last lines': { tool: 'read_text_file', input: { ...path('open.txt'), tail: 2 } },
  'more last lines than there are': { tool: 'read_text_file', input: { ...path('a.txt'), tail: 9 } },
  'an empty file': { tool: 'read_text_file', input: path('empty.txt') },
  'the first lines of an empty file': { tool: 'read_text_file', input: { ...path('empty.txt'), head: 1 } },
  'the last lines of an empty file': { tool: 'read_text_file', input: { ...path('empty.txt'), tail: 1 } },
  'a byte order mark': { tool: 'read_text_file', input: path('mark.txt') },
  'a name in Unicode': { tool: 'read_text_file', input: path('ü ñ 名.txt') },
  'a link within the root': { tool: 'read_text_file', input: path('link') },
  'a file behind a link to a directory': { tool: 'read_text_file', input: path('dirlink/x.ts') },
  'a link by an absolute path within the root': { tool: 'read_text_file', input: path('absolute') },
  'a file behind such a link to a directory': { tool: 'read_text_file', input: path('absdir/x.ts') },
  'what is behind such a link': { tool: 'list_directory', input: path('absdir') },
  'a file written through such a link': {
    tool: 'write_file',
    input: { ...path('absolute'), content: 'through' },
    files: ['absolute', 'a.txt'],
  },
  'a path from home on': { tool: 'read_text_file', input: { path: '~/app/a.txt' } },
  'a directory from home on': { tool: 'list_directory', input: { path: '~/app/src' } },
  'a path with dots': { tool: 'read_text_file', input: path('src/../a.txt') },
  'a picture': { tool: 'read_media_file', input: path('pic.png') },
  'a sound': { tool: 'read_media_file', input: path('sound.mp3') },
  'a file of unknown type': { tool: 'read_media_file', input: path('unknown.xyz') },
  'several files': {
    tool: 'read_multiple_files',
    input: { paths: ['$TREE/app/a.txt', '$TREE/app/empty.txt', '$TREE/app/src/x.ts'] },
  },
  'a new file': { tool: 'write_file', input: { ...path('new.txt'), content: 'hi\n' }, files: ['new.txt'] },
  'a file in place of another': {
    tool: 'write_file',
    input: { ...path('a.txt'), content: '' },
    files: ['a.txt'],
  },
  'a file behind a link': {
    tool: 'write_file',
    input: { ...path('link'), content: 'through' },
    files: ['link', 'a.txt'],
  },
  'an edit': edit('a.txt', [['two', 'TWO']]),
  'an edit that is only shown': edit('a.txt', [['two', 'TWO']], true),
  'two edits, the second on the first': edit('a.txt', [
    ['one', '1'],
    ['1\ntwo', 'both'],
  ]),
  'the first of several places': edit('a.txt', [['e', 'E']]),
  'signs that replacements could misread': edit('a.txt', [['two', '$& $1 $$']]),
  'no edits at all': edit('a.txt', []),
  'an edit that changes nothing': edit('a.txt', [['two', 'two']]),
  'an edit of nothing': edit('a.txt', [['', 'zero\n']]),
  'a text without a last newline': edit('open.txt', [['three', '3']]),
  'a text with fences in it': edit('code.md', [['code', 'CODE']]),
  'one line with other indentation': edit('indented.ts', [['      b();', '    c();']]),
  'a directory': { tool: 'create_directory', input: path('made') },
  'directories above it': { tool: 'create_directory', input: path('made/deep/er') },
  'a directory that is there': { tool: 'create_directory', input: path('src') },
  'what is in the root': { tool: 'list_directory', input: { path: '$TREE/app' } },
  'what is in an empty directory': { tool: 'list_directory', input: path('empty') },
  'what is behind a link': { tool: 'list_directory', input: path('dirlink') },
  'sizes by name': { tool: 'list_directory_with_sizes', input: path('src') },
  'sizes of nothing': { tool: 'list_directory_with_sizes', input: path('empty') },
  'a tree': { tool: 'directory_tree', input: path('src') },
  'the tree of nothing': { tool: 'directory_tree', input: path('empty') },
  'the tree behind a link': { tool: 'directory_tree', input: path('dirlink') },
  'a whole tree': { tool: 'directory_tree', input: { path: '$TREE/app' } },
  'a tree without a name': {
    tool: 'directory_tree',
    input: { ...path('src'), excludePatterns: ['node_modules'] },
  },
  'a tree without a name further down': {
    tool: 'directory_tree',
    input: { path: '$TREE/app', excludePatterns: ['deep', 'k.js'] },
  },
  'a tree without a glob at the top': {
    tool: 'directory_tree',
    input: { ...path('src'), excludePatterns: ['*.ts'] },
  },
  'a tree without a glob anywhere': {
    tool: 'directory_tree',
    input: { ...path('src'), excludePatterns: ['**/*.ts'] },
  },
  'a tree without what is in a directory': {
    tool: 'directory_tree',
    input: { path: '$TREE/app', excludePatterns: ['src/**'] },
  },
  'a move': {
    tool: 'move_file',
    input: { source: '$TREE/app/Zed', destination: '$TREE/app/src/Zed' },
    files: ['Zed', 'src/Zed'],
  },
  'a move of a directory': {
    tool: 'move_file',
    input: { source: '$TREE/app/src', destination: '$TREE/app/lib' },
    files: ['src/x.ts', 'lib/x.ts'],
  },
  'names at the top': search('*.ts'),
  'names anywhere': search('**/*.ts'),
  'a directory by its name': search('deep'),
  'everything in a directory': search('deep/**'),
  everything: search('**'),
  'one name or another': search('**/*.{ts,js}'),
  'names but for one directory': search('**/*.ts', ['deep']),
  'names but for what is in one directory': search('**/*.ts', ['deep/**']),
  'names but for a glob anywhere': search('**/*', ['**/*.ts']),
  'no name at all': search('nothing'),
  'hidden names': { tool: 'search_files', input: { path: '$TREE/app', pattern: '.h*' } },
  'names behind a link': { tool: 'search_files', input: { ...path('dirlink'), pattern: '*.ts' } },
  'the directories that are allowed': { tool: 'list_allowed_directories', input: {} },
};

/** Both refuse; the words are ours. */
export const refusedCases: Readonly<Record<string, ContractCase>> = {
  'a file that is not there': { tool: 'read_text_file', input: path('nothing.txt') },
  'a directory to read': { tool: 'read_text_file', input: path('src') },
  'a file outside': { tool: 'read_text_file', input: { path: '$TREE/secret' } },
  'a file outside by dots': { tool: 'read_text_file', input: path('../secret') },
  'a link that leaves': { tool: 'read_text_file', input: path('leaving') },
  'a link by an absolute path that leaves': { tool: 'read_text_file', input: path('absleaving') },
  'a file outside from home on': { tool: 'read_text_file', input: { path: '~/secret' } },
  'first and last lines at once': { tool: 'read_text_file', input: { ...path('a.txt'), head: 1, tail: 1 } },
  'no path': { tool: 'read_text_file', input: {} },
  'no paths': { tool: 'read_multiple_files', input: { paths: [] } },
  'a picture that is not there': { tool: 'read_media_file', input: path('nothing.png') },
  'a file in a directory that is missing': { tool: 'write_file', input: { ...path('no/x'), content: '' } },
  'a file in place of a directory': { tool: 'write_file', input: { ...path('src'), content: '' } },
  'a file through a link that leaves': { tool: 'write_file', input: { ...path('leaving'), content: '' } },
  'a text that is not there': edit('a.txt', [['nothing', 'x']]),
  'a second text that is not there': edit('a.txt', [
    ['one', '1'],
    ['nothing', 'x'],
  ]),
  'an edit of nothing that is there': edit('nothing.txt', []),
  'a directory in place of a file': { tool: 'create_directory', input: path('a.txt') },
  'a file to list': { tool: 'list_directory', input: path('a.txt') },
  'a file as a tree': { tool: 'directory_tree', input: path('a.txt') },
  'a tree outside': { tool: 'directory_tree', input: { path: '$TREE/outside' } },
  'a move onto something': {
    tool: 'move_file',
    input: { source: '$TREE/app/Zed', destination: '$TREE/app/a.txt' },
    files: ['Zed', 'a.txt'],
  },
  'a move of nothing': { tool: 'move_file', input: { source: '$TREE/app/no', destination: '$TREE/app/x' } },
  'a move to nowhere': {
    tool: 'move_file',
    input: { source: '$TREE/app/Zed', destination: '$TREE/app/no/x' },
  },
  'a move out': { tool: 'move_file', input: { source: '$TREE/app/Zed', destination: '$TREE/Zed' } },
  'a move in': { tool: 'move_file', input: { source: '$TREE/secret', destination: '$TREE/app/secret' } },
  'a search outside': { tool: 'search_files', input: { path: '$TREE', pattern: '**' } },
  'facts about a file outside': { tool: 'get_file_info', input: { path: '$TREE/secret' } },
  'facts about nothing': { tool: 'get_file_info', input: path('nothing') },
};
