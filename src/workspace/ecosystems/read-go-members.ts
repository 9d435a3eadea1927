import type { MemberRule } from './member-rule.ts';

/** The `use` lines of a go.work, alone or as a block. */
export function readGoMembers(text: string): readonly MemberRule[] {
  const rules: MemberRule[] = [];
  let inUse = false;
  for (const line of text.split('\n')) {
    const [first = '', second] = wordsOf(line);
    if (inUse && first !== ')' && first !== '') rules.push({ pattern: first, literal: true });
    if (first === ')') inUse = false;
    if (inUse || first !== 'use' || second === undefined) continue;
    if (second === '(') inUse = true;
    else rules.push({ pattern: second, literal: true });
  }
  return rules;
}

/** The words of a line without its comment; quotes and backquotes keep spaces within a word. */
function wordsOf(line: string): readonly string[] {
  const words = line.matchAll(
    /\/\/.*|"(?<quoted>[^"]*)"|`(?<raw>[^`]*)`|(?<bracket>[()])|(?<word>[^\s"`()]+)/g,
  );
  return [...words]
    .map(({ groups }) => groups?.['quoted'] ?? groups?.['raw'] ?? groups?.['bracket'] ?? groups?.['word'])
    .filter((word) => word !== undefined);
}
