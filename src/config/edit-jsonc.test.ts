import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layoutOf, printJson } from './edit-children.ts';
import { editJsonc } from './edit-jsonc.ts';
import { type JsoncText, parseJsonc } from '../base/parse-jsonc.ts';

function read(text: string): JsoncText {
  const parsed = parseJsonc(text);
  if ('fault' in parsed) throw new Error(`${parsed.fault.reason} in ${text}`);
  return parsed;
}

function edit(text: string, after: unknown): string {
  return editJsonc(text, read(text), after);
}

const text = `// my roots
{
  "version": 1, // never change this
  "revision": 3,
  /* all of them */
  "roots": [
    // work

    // the app
    { "path": "/app", "name": "app" }, // main
    // the docs
    {
      "path": "/docs",
      "name": "docs", // read by everybody
    },
  ],
}
// the end
`;

const [app, docs, more] = [
  { path: '/app', name: 'app' },
  { path: '/docs', name: 'docs' },
  { path: '/more', name: 'more', allow: ['read', 'list'] },
];

describe('a changed text', () => {
  test('keeps every comment when something is added', () => {
    expect(edit(text, { version: 1, revision: 4, roots: [app, docs, more] })).toMatchInlineSnapshot(`
      "// my roots
      {
        "version": 1, // never change this
        "revision": 4,
        /* all of them */
        "roots": [
          // work

          // the app
          { "path": "/app", "name": "app" }, // main
          // the docs
          {
            "path": "/docs",
            "name": "docs", // read by everybody
          },
          {
            "path": "/more",
            "name": "more",
            "allow": ["read", "list"]
          }
        ],
      }
      // the end
      "
    `);
  });

  test('keeps a comment on its line when something is added behind it', () => {
    expect(edit('[\n  {} // first\n]', [{}, { a: 1 }])).toBe('[\n  {}, // first\n  {\n    "a": 1\n  }\n]');
    expect(edit('{\n  "a": 1 // one\n}', { a: 1, b: [] })).toBe('{\n  "a": 1, // one\n  "b": []\n}');
  });

  test('loses a removed item with its comments', () => {
    expect(edit(text, { version: 1, revision: 4, roots: [docs] })).toMatchInlineSnapshot(`
      "// my roots
      {
        "version": 1, // never change this
        "revision": 4,
        /* all of them */
        "roots": [
          // work

          // the docs
          {
            "path": "/docs",
            "name": "docs", // read by everybody
          },
        ],
      }
      // the end
      "
    `);
    expect(edit(text, { version: 1, revision: 3, roots: [app] })).toMatchInlineSnapshot(`
      "// my roots
      {
        "version": 1, // never change this
        "revision": 3,
        /* all of them */
        "roots": [
          // work

          // the app
          { "path": "/app", "name": "app" }, // main
        ],
      }
      // the end
      "
    `);
    expect(edit(text, { version: 1, revision: 3, roots: [] })).toContain('// work');
  });

  test.each([
    ['[\n  {}, // one\n  [] ]', [{}]],
    ['[ {}, [] // two\n]', [{}]],
    ['[ {}, [] // two\n]', [[]]],
    ['[\n  // none\n]', [{ a: 1 }]],
    ['[ /* none */ ]', [{}, {}]],
    ['{ // nothing\n}', { a: { b: 1 } }],
    ['[{}\n  , // odd\n [] ]', [{}, [], { c: [] }]],
    ['[{}\n  , // odd\n [] ]', [{}]],
    ['{"a":{},"b":{}}', { b: {}, c: {} }],
    ['\t[\r\n\t{}\r\n]', [{}, { a: 1 }]],
    ['{"__proto__": {"a": 1}}', JSON.parse('{"__proto__": {"a": 2, "b": 1}}')],
  ])('parses to the new value: %j', (before, after) => {
    expect(read(edit(before, after)).value).toEqual(after);
  });

  test('uses the line ends and the indent of the file', () => {
    const edited = edit('{\r\n\t"a": {}\r\n}\r\n', { a: { b: { c: 1 } } });
    expect(edited).toBe('{\r\n\t"a": {\r\n\t\t"b": {\r\n\t\t\t"c": 1\r\n\t\t}\r\n\t}\r\n}\r\n');
  });

  test('parses to the new value, whatever the old value and its layout', () => {
    fc.assert(
      fc.property(jsonc, fc.jsonValue({ maxDepth: 4 }), (before, after) => {
        expect(read(edit(before, after)).value).toEqual(read(JSON.stringify(after)).value);
      }),
      { numRuns: 200 },
    );
  });

  test('parses to the new value after a change of a part', () => {
    const records = fc.array(
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.array(words, { maxLength: 4 })),
      {
        maxLength: 5,
      },
    );
    const looks = fc.tuple(fc.array(comment, { minLength: 1, maxLength: 12 }), fc.boolean());
    fc.assert(
      fc.property(records, records, looks, (before, after, [comments, isTrailing]) => {
        const edited = edit(sprinkle({ list: before }, comments, isTrailing), { list: after });
        expect(read(edited).value).toEqual({ list: after });
      }),
      { numRuns: 200 },
    );
  });

  test('keeps every comment that does not belong to a removed item', () => {
    fc.assert(
      fc.property(fc.array(words, { minLength: 1 }), words, (items, added) => {
        const lines = items.map(
          (item, index) => `  // about ${index}\n  ${JSON.stringify(item)} // is ${index}`,
        );
        const written = `[\n${lines.join('\n  ,')}\n]`;
        const edited = edit(written, [...items, added]);
        expect(edited.match(/\/\/ (?:about|is) \d+/g)).toEqual(written.match(/\/\/ (?:about|is) \d+/g));
      }),
    );
  });
});

const words = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer(), { minKeys: 1 });

const comment = fc.constantFrom('', ' ', '\n', ' // x\n', '/* y */', '\n\n', ' /* a\n b */ ', '// {[\n');

/** Any JSON value, with comments wherever one may stand. */
const jsonc = fc
  .tuple(fc.jsonValue({ maxDepth: 4 }), fc.array(comment, { minLength: 1, maxLength: 12 }), fc.boolean())
  .map(([value, comments, isTrailing]) => sprinkle(value, comments, isTrailing));

function sprinkle(value: unknown, comments: readonly string[], isTrailing: boolean): string {
  let next = 0;
  const some = (): string => comments[next++ % comments.length] ?? '';
  const write = (part: unknown): string => {
    if (typeof part !== 'object' || part === null) return some() + JSON.stringify(part) + some();
    const items = Array.isArray(part)
      ? part.map(write)
      : Object.entries(part).map(
          ([key, member]) => `${some()}${JSON.stringify(key)}${some()}:${write(member)}`,
        );
    const [open, close] = Array.isArray(part) ? ['[', ']'] : ['{', '}'];
    const end = isTrailing && items.length > 0 ? `,${some()}` : '';
    return `${some()}${open}${some()}${items.join(`${some()},${some()}`)}${some()}${end}${close}${some()}`;
  };
  return write(value);
}

test('the layout is that of the first indented line', () => {
  expect(layoutOf('/*\n * a\n */\n{\n    "a": 1\n}')).toEqual({ unit: '    ', eol: '\n' });
  expect(printJson({ a: [] }, layoutOf('{}'))).toBe('{\n  "a": []\n}');
});
