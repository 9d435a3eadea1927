/**
 * Returns why Rootward cannot run on this version of Node.js; `undefined` if it can. Imports nothing, so that an old
 * version can load it.
 *
 * @example
 * ```ts
 * nodeFault('18.20.4') // → 'rootward needs Node.js 20 or later, and this is 18.20.4: install a newer one'
 * nodeFault('20.0.0') // → undefined
 * ```
 */
export function nodeFault(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= oldest) return undefined;
  return `rootward needs Node.js ${oldest} or later, and this is ${version}: install a newer one`;
}

const oldest = 20;
