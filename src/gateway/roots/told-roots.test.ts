import { expect, test, vi } from 'vitest';
import { sampleRoot } from '../../../test/support/trees/sample-root.ts';
import type { GatewayPlaces } from './gateway-roots.ts';
import { ToldRoots } from './told-roots.ts';

test('a burst of announcements leads to one look, and only another list is reported', async () => {
  vi.useFakeTimers();
  try {
    let looks = 0;
    let places: GatewayPlaces = { roots: [sampleRoot({ path: '/a' })], primary: undefined };
    const reported: number[] = [];
    const current = async (): Promise<GatewayPlaces> => {
      looks += 1;
      return places;
    };
    const told = new ToldRoots({ current }, ({ roots }) => void reported.push(roots.length));
    await told.tell();
    for (let count = 0; count < 1_000; count += 1) told.due();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([looks, reported]).toEqual([2, []]);
    places = { roots: [], primary: undefined };
    told.due();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reported).toEqual([0]);
    told.due();
    told.close();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(looks).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});
