import { withoutBlocks } from './markdown.ts';

/** What `#…` may name in a Markdown text: its headings as GitHub spells them, and explicit ids. */
export function anchorsOf(text: string): Set<string> {
  const prose = withoutBlocks(text);
  const ids = [...prose.matchAll(/<[a-z]\w*\s[^>]*\b(?:id|name)="([^"]+)"/g)].map(([, id = '']) => id);
  const headings = [...prose.matchAll(/^ {0,3}#{1,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/gm)];
  return new Set([...ids, ...numbered(headings.map(([, heading = '']) => slug(heading)))]);
}

/** The second heading of a name gets `-1`, the third `-2`. */
function numbered(slugs: readonly string[]): string[] {
  return slugs.map((slug, index) => {
    const before = slugs.slice(0, index).filter((other) => other === slug).length;
    return before === 0 ? slug : `${slug}-${before}`;
  });
}

function slug(heading: string): string {
  return heading
    .replace(markup, (_, code?: string, label?: string) => code ?? label ?? '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

/** Code keeps its text, a link its label, a tag nothing. */
const markup = /`([^`]*)`|!?\[([^\]]*)\]\([^)]*\)|<[^>]+>/g;
