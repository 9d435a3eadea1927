import type { CliContext } from '../../serve/settings/process-context.ts';

const codes = { green: 32, red: 31, yellow: 33, dim: 2, bold: 1 } as const;

export type PaintText = (colour: keyof typeof codes, text: string) => string;

/** Colours the text if stdout is a terminal and `NO_COLOR` is not set. */
export function createPaint({ process: { stdout, env = {} } }: CliContext): PaintText {
  const plain = stdout.isTTY !== true || (env['NO_COLOR'] ?? '') !== '';
  return (colour, text) => (plain ? text : `\u001B[${codes[colour]}m${text}\u001B[0m`);
}

/** Lines of `label  value` with aligned values. */
export function formatFields(
  fields: readonly (readonly [label: string, value: string])[],
  paint: PaintText,
): string {
  const width = Math.max(...fields.map(([label]) => label.length));
  return fields.map(([label, value]) => `${paint('dim', label.padEnd(width))}  ${value}\n`).join('');
}

/** Aligned columns, two spaces apart; the last one is not padded. */
export function formatColumns(rows: readonly (readonly string[])[], indent = ''): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ');
  return rows.map((row) => `${indent}${line(row).trimEnd()}\n`).join('');
}
