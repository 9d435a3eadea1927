import { type BoundaryContext, Lease } from '../../../src/boundary/step/context.ts';
import type { Driver } from '../../../src/boundary/system/driver.ts';
import { createSystemPathDriver } from '../../../src/boundary/system/path-driver.ts';
import { procDriver } from '../../../src/boundary/system/proc-driver.ts';
import { hostPlatform } from '../../../src/path/platform.ts';

const onLinux = process.platform === 'linux';
const pathDriver = createSystemPathDriver(process.platform);

/** Every driver that works on this system, the strongest first. */
export const drivers: readonly (readonly [name: string, driver: Driver])[] = [
  ...(onLinux ? [['proc', procDriver] as const] : []),
  ['path', pathDriver],
];

/** A context that closes its handle when it is disposed. */
export interface OpenContext extends BoundaryContext, Disposable {}

/** What the functions of `src/boundary/` work with, on a real directory; refuses nothing by itself. */
export function openContext(path: string, changes: Partial<BoundaryContext> = {}): OpenContext {
  const { driver = onLinux ? procDriver : pathDriver } = changes;
  const top = driver.openTop(path);
  return {
    driver,
    top,
    name: 'root',
    lease: new Lease('root', () => {}),
    platform: hostPlatform,
    limits: { fileSize: 1024 * 1024, listEntries: 1_000 },
    hardLinks: 'allow',
    mount: undefined,
    spellings: [path],
    reroot: false,
    only: undefined,
    guard: undefined,
    ...changes,
    [Symbol.dispose]: () => driver.close(top),
  };
}
