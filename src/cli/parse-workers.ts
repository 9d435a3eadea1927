/** A flag that counts processes. */
export function parseWorkers(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 999) throw new Error('write a number from 1 to 999');
  return count;
}
