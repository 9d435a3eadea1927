const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes for a person: `12 B`, `120.56 KB`. */
export function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const unit = units[power] ?? 'B';
  return power === 0 ? `${bytes} B` : `${(bytes / 1024 ** power).toFixed(2)} ${unit}`;
}
