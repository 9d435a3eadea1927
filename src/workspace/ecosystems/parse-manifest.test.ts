import { describe, expect, test } from 'vitest';
import {
  at,
  fieldAt,
  hasOpenBrackets,
  parseJson,
  parseToml,
  parseWithin,
  parseXml,
  parseYaml,
} from './parse-manifest.ts';

describe('parseXml', () => {
  test.each<[text: string, path: string[], texts: string[]]>([
    ['<a><b>one</b><b>two</b><c><b>no</b></c></a>', ['a', 'b'], ['one', 'two']],
    ['<a xmlns="http://x.example/a"><b> x\n</b></a>', ['a', 'b'], ['x']],
    ['<p:a xmlns:p="http://x.example/a"><p:b>x</p:b></p:a>', ['a', 'b'], ['x']],
    ['<?xml version="1.0" encoding="UTF-8"?>\r\n<!-- c -->\r\n<a><b>x</b></a>\r\n', ['a', 'b'], ['x']],
    ['<a><b>x<!-- c --><i>y</i><![CDATA[<z>]]></b></a>', ['a', 'b'], ['x<z>']],
    ['<a><b/></a>', ['a', 'b'], ['']],
    ['<a><b>x &amp; y</b></a>', ['a', 'b'], ['x & y']],
    ['<a><b>&#65;&#x42;&lt;&unknown;&#0;&#x110000;</b></a>', ['a', 'b'], ['AB<&unknown;&#0;&#x110000;']],
    ['<a><b x="/>" y=\'">\' z = "1" >t</b ></a >', ['a', 'b'], ['t']],
    ['<!DOCTYPE a [<!ENTITY x "]>"><!-- "\'] > -->]><a><b>x</b></a>', ['a', 'b'], ['x']],
    ['<?p <a> ?><a><b>x</b><?p </a> ?></a><!-- end -->', ['a', 'b'], ['x']],
    ['<a/>', ['b'], []],
    ['<a/>', ['a', 'b', 'c'], []],
  ])('reads %s at %j', async (text, path, texts) => {
    const parsed = await parseXml(text);
    expect('value' in parsed && parsed.value.texts(path)).toEqual(texts);
  });

  test.each([
    ['', /^line 1, column 1: /],
    ['<a><b></a>', /^line 1, column \d+: .*tag mismatch/],
    ['<a>\n  <b', /^line \d, column \d+: /],
    ['<a>', /^line 1, column \d+: unclosed/],
    ['text', /missing root element/],
    ['<a/><b/>', /^line 1, column \d+: /],
    ['<a/>text', /text after the root/],
    ['<a></b></a>', /tag mismatch/],
    ['</a>', /tag mismatch: no element/],
    ['<a><!-- x</a>', /--> is missing/],
    ['<a><![CDATA[x</a>', /]]> is missing/],
    ['<!DOCTYPE a [<!ENTITY x "', /unclosed document type/],
    ['<a b="x>', /not closed/],
    ['<a b=x/>', /not closed/],
    ['<1/>', /element name/],
  ])('says what is wrong with %j', async (text, fault) => {
    expect(await parseXml(text)).toEqual({ fault: expect.stringMatching(fault) });
  });

  test('expands no entity and loads none', async () => {
    const declared = '<!DOCTYPE a [<!ENTITY x "x"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
    for (const name of ['x', 'f']) {
      const parsed = await parseXml(`${declared}<a>&${name};</a>`);
      expect('value' in parsed ? parsed.value.texts(['a']) : parsed.fault).toSatisfy(
        (found: unknown) => !String(found).includes('root:') && String(found).includes(`&${name};`),
      );
    }
  });

  test('looks into elements as deep as a file can be', async () => {
    const parsed = await parseXml(`<a>${'<b>'.repeat(50_000)}${'</b>'.repeat(50_000)}</a>`);
    expect('value' in parsed && parsed.value.texts(['a', 'b'])).toEqual(['']);
  });

  const mebibyte = 1_048_576;

  /** Files of the largest size that is read, each made to let a parser look at the same text again and again. */
  const bombs: Readonly<Record<string, string>> = {
    'namespaces within namespaces': Array.from(
      { length: 30_000 },
      (_, index) => `<a xmlns:n${index}="x">`,
    ).join(''),
    attributes: `<a${Array.from({ length: 80_000 }, (_, index) => ` a${index}=""`).join('')}/>`,
    'comments that begin again': '<!--'.repeat(mebibyte / 4),
    'comments in a document type': `<!DOCTYPE a [${'<!--'.repeat(mebibyte / 4)}`,
    'quotes in a document type': `<!DOCTYPE a [${'"\''.repeat(mebibyte / 2)}`,
    'CDATA that begins again': `<a>${'<![CDATA['.repeat(mebibyte / 9)}`,
    'entities that never end': `<a>${'&amp'.repeat(mebibyte / 4)}</a>`,
    'text in pieces': `<a>${'x<b/>'.repeat(mebibyte / 5)}</a>`,
    'tags that never end': '<a '.repeat(mebibyte / 3),
    'blanks in a tag': `<a${' '.repeat(mebibyte)}`,
    levels: '<b>'.repeat(mebibyte / 3),
    'elements on a deep way': `${'<b>'.repeat(7)}${'<b/>'.repeat(mebibyte / 4)}`,
  };

  test.each(Object.entries(bombs))('reads a mebibyte of %s in a moment', async (_name, text) => {
    const start = process.cpuUsage();
    await parseXml(text.slice(0, mebibyte));
    const { user, system } = process.cpuUsage(start);
    // About 100 ms; a parser that looks again and again takes minutes.
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });
});

test.each<[value: unknown, path: string[], found: unknown]>([
  [{ a: { b: 1 } }, ['a', 'b'], 1],
  [{ a: { b: 1 } }, ['a', 'c'], undefined],
  [{ a: 'text' }, ['a', 'length'], undefined],
  [{ a: null }, ['a', 'b'], undefined],
  [[{ b: 1 }], ['0', 'b'], 1],
  [{ a: 1 }, [], { a: 1 }],
  [undefined, ['a'], undefined],
  [{}, ['constructor', 'name'], undefined],
  [{}, ['toString'], undefined],
  [Object.create({ name: 'inherited' }), ['name'], undefined],
])('%j at %j is %j', (value, path, found) => {
  expect(fieldAt(value, path)).toEqual(found);
});

test('a __proto__ that somebody wrote is a name like any other', () => {
  const value: unknown = JSON.parse('{"__proto__": {"name": "x"}}');
  expect(fieldAt(value, ['name'])).toBeUndefined();
  expect(fieldAt(value, ['__proto__', 'name'])).toBe('x');
});

describe('parseJson', () => {
  test.each([
    ['{"a": [1, "x", null]}', { a: [1, 'x', null] }],
    ['// first\n{"a": 1, /* second */ }', { a: 1 }],
    ['{\r\n  "a": 1,\r\n}\r\n', { a: 1 }],
    ['{"a": 1, "a": 2}', { a: 2 }],
    ['[1,]', [1]],
  ])('reads %j', async (text, value) => {
    expect(await parseJson(text)).toEqual({ value });
  });

  test.each([
    ['', 'line 1, column 1: value expected'],
    ['{', 'line 1, column 2: close brace expected'],
    ['{\n  "a" 1\n}', 'line 2, column 7: colon expected'],
    ['{"a": 1 "b": 2}', 'line 1, column 9: comma expected'],
    ['{"a": 1}}', 'line 1, column 9: end of file expected'],
    ['<<<<<<< HEAD\n{}', 'line 1, column 1: invalid symbol'],
    ['{"a": "x\ny"}', 'line 1, column 7: unexpected end of string'],
  ])('says what is wrong with %j', async (text, fault) => {
    expect(await parseJson(text)).toEqual({ fault });
  });

  test('reads brackets in texts, however many, and values as deep as anybody writes', async () => {
    const text = JSON.stringify({ a: `${'['.repeat(5_000)}\\"${'{'.repeat(5_000)}\\` });
    expect(await parseJson(text)).toEqual({ value: JSON.parse(text) });
    const deep = `${'['.repeat(900)}${']'.repeat(900)}`;
    expect(await parseJson(deep)).toEqual({ value: JSON.parse(deep) });
  });

  test.each(['[', '{"a":', '//\n['])('refuses %j without end', async (text) => {
    const parsed = await parseJson(text.repeat(150_000));
    expect(parsed).toEqual({ fault: 'it is nested more than 1000 levels deep' });
  });

  test('looks for no comments in what is very long', async () => {
    expect(await parseJson(`[${','.repeat(300_000)}`)).toEqual({
      fault: 'it is not JSON, and longer than 262144 characters, so that no comments are looked for',
    });
  });

  test.each(['{"__proto__": {"name": "x"}}', '{"__proto__": {"name": "x"},}'])(
    'changes nothing but the value with %s',
    async (text) => {
      const parsed = await parseJson(text);
      expect('value' in parsed && Object.hasOwn(Object(parsed.value), 'name')).toBe(false);
      expect({}).not.toHaveProperty('name');
    },
  );
});

describe('parseToml', () => {
  test.each([
    ['[package]\nname = "x"\n', { package: { name: 'x' } }],
    ["a.b = 'x'\r\n[c]\r\n", { a: { b: 'x' }, c: {} }],
    ['', {}],
  ])('reads %j', async (text, value) => {
    expect(await parseToml(text)).toEqual({ value });
  });

  test.each([
    ['a = \n', /^line 1, column \d+: [^\n]+$/],
    ['[a]\nb = 1\nb = 2', /^line 3, column \d+: [^\n]+$/],
    ['[package', /^line 1, column \d+: [^\n]+$/],
    [`a = ${'['.repeat(100_000)}`, /^line 1, column \d+: [^\n]*nested/],
  ])('says what is wrong: %#', async (text, fault) => {
    expect(await parseToml(text)).toEqual({ fault: expect.stringMatching(fault) });
  });

  test('changes nothing but the value with __proto__', async () => {
    const parsed = await parseToml('[__proto__]\nname = "x"\n[constructor.prototype]\nname = "x"');
    expect('value' in parsed && Object.hasOwn(Object(parsed.value), 'name')).toBe(false);
    expect({}).not.toHaveProperty('name');
  });

  test('refuses a key of very many parts, and reads values of any', async () => {
    expect(await parseToml(`${'a.'.repeat(60_000)}b = 1`)).toEqual({
      fault: 'a key in it has more than 64 parts',
    });
    expect(await parseToml(`[${'a.'.repeat(60_000)}b]`)).toEqual({
      fault: 'a key in it has more than 64 parts',
    });
    expect(await parseToml(`a.b.c = "${'a.'.repeat(100)}"`)).toHaveProperty('value');
  });
});

describe('parseYaml', () => {
  test.each([
    ['name: app\nversion: 1.0.0\n', { name: 'app', version: '1.0.0' }],
    ["packages:\r\n  - 'a/*'\r\n  - '!b'\r\n", { packages: ['a/*', '!b'] }],
    ['a: &x 1\nb: *x', { a: 1, b: 1 }],
    ['a: 1\na: 2', { a: 2 }],
    ['# nothing', null],
    ['', null],
    ['text', 'text'],
  ])('reads %j', async (text, value) => {
    expect(await parseYaml(text)).toEqual({ value });
  });

  test.each([
    ['a: [1', /^line 1, column \d+: /],
    ['a: 1\n\tb: 2', /^line 2, column \d+: /],
    ['a: "x', /^line 1, column \d+: /],
    ['a: 1\n---\nb: 2', /^line 2, column 1: one document is expected$/],
  ])('says what is wrong with %j', async (text, fault) => {
    expect(await parseYaml(text)).toEqual({ fault: expect.stringMatching(fault) });
  });

  test('reads what is as deep as anybody writes', async () => {
    const parsed = await parseYaml(`${'['.repeat(60)}1${']'.repeat(60)}`);
    expect(parsed).toHaveProperty('value');
  });

  test.each(['[', '{', '[{', '- ', '? ', '- ? ', 'a: ', ': ', '<<: '])(
    'survives %j without end, which ends a process that parses it',
    async (text) => {
      expect(await parseYaml(text.repeat(5_000))).toEqual({
        fault: expect.stringMatching(/^it (?:is nested more than 64 levels deep|takes too long to parse)$/),
      });
    },
  );

  test.each([',', '!a ', '&a ', ']', '- @\n', '"\n', 'a:\n', '#\n', '%a\n'])(
    'takes a bearable time for %j, over and over',
    async (text) => {
      const start = performance.now();
      await parseYaml(`[${text.repeat(16_000 / text.length)}`);
      expect(performance.now() - start).toBeLessThan(10_000);
    },
  );

  test('refuses aliases that lead nowhere', async () => {
    await expect(parseYaml('a: *none')).rejects.toThrow('Unresolved alias');
  });

  test('refuses aliases that multiply', async () => {
    const lines = ['a0: &a0 [x, x]', ...Array.from({ length: 30 }, (_, index) => bomb(index))];
    await expect(parseYaml(lines.join('\n'))).rejects.toThrow('Excessive alias count');
  });

  test('changes nothing but the value with __proto__', async () => {
    const parsed = await parseYaml('__proto__:\n  name: x\n');
    expect('value' in parsed && Object.hasOwn(Object(parsed.value), 'name')).toBe(false);
    expect({}).not.toHaveProperty('name');
  });
});

function bomb(index: number): string {
  return `a${index + 1}: &a${index + 1} [*a${index}, *a${index}, *a${index}]`;
}

const long = 'x'.repeat(5_000);

describe('parseWithin', () => {
  test.each(['short', long])('gives what the parser makes of a text', (text) => {
    expect(parseWithin(text, ({ length }) => ({ value: length }))).toEqual({ value: text.length });
    expect(parseWithin(text, () => ({ fault: 'none' }))).toEqual({ fault: 'none' });
  });

  test.each(['short', long])('lets through what the parser throws', (text) => {
    const fail = (): never => {
      throw new RangeError('too deep');
    };
    expect(() => parseWithin(text, fail)).toThrow(new RangeError('too deep'));
  });

  test('ends a parser that does not end', () => {
    const forever = (): never => {
      for (;;);
    };
    expect(parseWithin(long, forever, 20)).toEqual({ fault: 'it takes too long to parse' });
  });
});

test.each([
  ['', 0, 'line 1, column 1'],
  ['abc', 2, 'line 1, column 3'],
  ['a\nbc', 2, 'line 2, column 1'],
  ['a\r\nbc', 4, 'line 2, column 2'],
  ['a\n', 2, 'line 2, column 1'],
])('%j at %i is %s', (text, offset, place) => {
  expect(at(text, offset)).toBe(place);
});

test.each([
  ['[[[]]]', true],
  ['[[]]', false],
  ['[]'.repeat(100), false],
  ['["[[["]', false],
  ['["\\"[[["]', false],
  ['{"a":[{', true],
])('%s is open at more than two levels: %s', (text, deeper) => {
  expect(hasOpenBrackets(text, 2)).toBe(deeper);
});
