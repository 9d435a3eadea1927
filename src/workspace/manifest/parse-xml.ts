import type { Element, Node } from '@xmldom/xmldom';
import { fieldAt } from './field-at.ts';
import type { Parsed } from './parsed.ts';

/** What can be asked of an XML file. */
export interface XmlDocument {
  /** The text of every element on a way of element names that begins at the document's own: `project`, `modules`, `module`. */
  texts(path: readonly string[]): readonly string[];
}

/** Well-formed XML. No entity is expanded and nothing is loaded. */
export async function parseXml(text: string): Promise<Parsed<XmlDocument>> {
  const { DOMParser, ParseError } = await import('@xmldom/xmldom');
  const faults: string[] = [];
  const onError = (level: string, message: string): void => {
    if (level === 'warning') return;
    faults.push(message);
    // Only what is thrown here stops the parser.
    throw new Error(message);
  };
  try {
    const document = new DOMParser({ onError }).parseFromString(text, 'text/xml');
    return { value: { texts: (path) => textsAt(document, path) } };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return { fault: `${placeOf(error.locator)}: ${faults[0] ?? error.message}` };
  }
}

function placeOf(locator: unknown): string {
  const [line, column] = ['lineNumber', 'columnNumber'].map((name) => fieldAt(locator, [name]));
  return `line ${Math.max(Number(line ?? 1), 1)}, column ${Number(column ?? 1)}`;
}

function textsAt(document: Node, path: readonly string[]): readonly string[] {
  let level: readonly Node[] = [document];
  for (const name of path) level = level.flatMap((node) => elementsOf(node, name));
  return level.map(ownText);
}

function elementsOf(node: Node, name: string): readonly Node[] {
  return [...node.childNodes].filter((child) => isElement(child) && child.localName === name);
}

function isElement(node: Node): node is Element {
  return node.nodeType === node.ELEMENT_NODE;
}

/** Without the text of elements within it. */
function ownText(node: Node): string {
  const texts = [...node.childNodes].filter(({ nodeType }) => nodeType === 3 || nodeType === 4);
  return texts
    .map(({ nodeValue }) => nodeValue ?? '')
    .join('')
    .trim();
}
