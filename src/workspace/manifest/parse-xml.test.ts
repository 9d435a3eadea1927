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
});
