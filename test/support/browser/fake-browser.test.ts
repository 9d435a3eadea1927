import { expect, test } from 'vitest';
import { FakeBrowser } from './fake-browser.ts';

test('locks are held one at a time, passed on, and stolen', async () => {
  const browser = new FakeBrowser();
  const [one, other] = [browser.openWindow(), browser.openWindow()];
  const seen: string[] = [];
  const hold = (name: string) => (): Promise<void> => {
    seen.push(name);
    return new Promise(() => {});
  };
  void one.means.locks.request('x', {}, hold('one'));
  const second = other.means.locks.request('x', {}, hold('other')).catch(() => 'stolen');
  await browser.settle();
  expect(seen).toEqual(['one']);
  one.crash();
  await browser.settle();
  expect(seen).toEqual(['one', 'other']);
  void browser.openWindow().means.locks.request('x', { steal: true }, hold('thief'));
  expect([await second, seen.at(-1)]).toEqual(['stolen', 'thief']);
});

test('channels reach the other windows, but not frozen ones', async () => {
  const browser = new FakeBrowser();
  const windows = [browser.openWindow(), browser.openWindow(), browser.openWindow()];
  const heard: number[] = [];
  const channels = windows.map(({ means }, at) => {
    const channel = means.openChannel('x');
    channel.onmessage = () => void heard.push(at);
    return channel;
  });
  windows[2]?.freeze();
  channels[0]?.postMessage('hello');
  await browser.settle();
  expect(heard).toEqual([1]);
});
