/** Line and column of a place in a text, as an editor counts them. */
export function at(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return `line ${line}, column ${offset - before.lastIndexOf('\n')}`;
}

/** Whether brackets outside of texts are open at more levels than this. Exact for JSON; in other formats a quote may be a letter. */
export function hasOpenBrackets(text: string, levels: number): boolean {
  if (text.length <= levels) return false;
  let [depth, isInText] = [0, false];
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '"') isInText = !isInText;
    else if (isInText) at += mark === '\\' ? 1 : 0;
    else if (mark === '[' || mark === '{') depth += 1;
    else if (mark === ']' || mark === '}') depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}
