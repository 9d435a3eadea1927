/** What is wrong with a number; `undefined` if nothing is. */
export function numberFault(value: unknown, most: number): string | undefined {
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;
  return fits ? undefined : `it is no whole number from 1 to ${most}`;
}

/** What is wrong with the name of an environment variable; `undefined` if nothing is. */
export function variableFault(name: string): string | undefined {
  return /^[A-Za-z_]\w*$/.test(name) ? undefined : 'it is no name of an environment variable';
}
