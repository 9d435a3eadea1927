import { describe, expect, test } from 'vitest';
import { parseXml } from './parse-xml.ts';

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
