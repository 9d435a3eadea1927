/** The path in what was dropped: the first file URI of a list, or a text that is a path. */
export function pathIn(list: string, text: string): string | undefined {
  const lines = `${list}\n${text}`.split(/\r?\n/).map((line) => line.trim());
  return lines.find((line) => /^(?:file:|~?\/|~$|[A-Za-z]:[\\/])/.test(line));
}
