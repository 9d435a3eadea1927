import { expect, test } from 'vitest';
import { PageAttention, type WatchedWindows } from './attention.ts';
import { FakeBrowser } from '../../../../test/support/browser/fake-browser.ts';

async function scene(windows: number) {
  const browser = new FakeBrowser();
  const all = Array.from({ length: windows }, () => browser.openWindow());
  const [first, ...others] = all.map(({ means }) => new PageAttention('page', means));
  const told: WatchedWindows[] = [];
  const stop = new AbortController();
  await browser.settle();
  first?.watch((watched) => void told.push(watched), stop.signal);
  await browser.settle();
  return { browser, all, others, told, stop };
}

test('counts visible and hidden windows, whenever that changes', async () => {
  const { browser, all, told } = await scene(3);
  expect(told).toEqual([{ visible: 3, hidden: 0 }]);
  all[1]?.show(false);
  await browser.settle();
  all[0]?.show(false);
  await browser.settle();
  expect(told.at(-1)).toEqual({ visible: 1, hidden: 2 });
  all[0]?.show(true);
  await browser.settle();
  expect(told.at(-1)).toEqual({ visible: 2, hidden: 1 });
});

test('does not count a closed window', async () => {
  const { browser, all, others, told } = await scene(3);
  others[0]?.close();
  all[2]?.crash();
  await browser.settle();
  all[0]?.show(true);
  await browser.settle();
  expect(told.at(-1)).toEqual({ visible: 1, hidden: 0 });
});

test('reports nothing after the end', async () => {
  const { browser, all, told, stop } = await scene(2);
  stop.abort();
  all[1]?.show(false);
  await browser.settle();
  expect(told).toHaveLength(1);
});
