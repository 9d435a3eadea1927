/** What a file is among documents, and how it is written. */
export interface DocKind {
  readonly kind: 'readme' | 'changelog' | 'contributing' | 'guide' | 'other';
  readonly format: DocFormat;
}

export type DocFormat = 'markdown' | 'restructuredtext' | 'asciidoc' | 'text';

const formats: Readonly<Record<string, DocFormat>> = {
  '.md': 'markdown',
  '.mdx': 'markdown',
  '.markdown': 'markdown',
  '.mkd': 'markdown',
  '.rst': 'restructuredtext',
  '.adoc': 'asciidoc',
  '.asciidoc': 'asciidoc',
};

/** Files whose name says what they are, with any extension or with none. */
const names = [
  { kind: 'readme', pattern: /^readme\b/i },
  { kind: 'changelog', pattern: /^(?:changelog|changes|history|news|releases?(?:[-_ ]?notes)?)(?:\.|$)/i },
  {
    kind: 'contributing',
    pattern: /^(?:contributing|code[-_]of[-_]conduct|security|support|governance|maintainers)(?:\.|$)/i,
  },
] as const;

/** Directories whose content is written for readers. */
const guides = /(?:^|\/)(?:docs?|documentation|guides?|manual|wiki|adrs?|rfcs?|decisions)\//i;

/** What a file is among documents, by its path from the root; `undefined` for what is none. */
export function docKindOf(path: string): DocKind | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot).toLowerCase() : '';
  const format = formats[extension] ?? (extension === '.txt' || extension === '' ? 'text' : undefined);
  if (format === undefined) return undefined;
  const named = names.find(({ pattern }) => pattern.test(name));
  if (named !== undefined) return { kind: named.kind, format };
  if (guides.test(path)) return { kind: 'guide', format };
  return format === 'text' ? undefined : { kind: 'other', format };
}
