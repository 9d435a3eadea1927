import type { SourceName } from '../sources/source-name.ts';
import { allSources, sourceNames } from '../sources/all-sources.ts';

export interface OrderFault {
  /** Which entry, such as `[1]`; empty for the list itself. */
  readonly at: string;
  readonly reason: string;
}

/**
 * Why a list of sources is no order for a client; `undefined` if it is one. What somebody said on purpose keeps
 * its place in the chain, so a list that says otherwise would promise what never happens.
 */
export function findOrderFault(order: readonly SourceName[]): OrderFault | undefined {
  if (order.length === 0) return { at: '', reason: 'at least one source is expected' };
  for (const [index, name] of order.entries()) {
    const before = order.slice(0, index);
    const reason = before.includes(name) ? `${name} is expected once` : findPromotion(name, before);
    if (reason !== undefined) return { at: `[${index}]`, reason };
  }
  return undefined;
}

function findPromotion(name: SourceName, before: readonly SourceName[]): string | undefined {
  if (!allSources[name].explicit) return undefined;
  const later = before.find((other) => sourceNames.indexOf(other) > sourceNames.indexOf(name));
  return later && `${name} is expected before ${later}: what somebody said on purpose keeps its place`;
}
