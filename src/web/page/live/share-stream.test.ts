import { expect, test } from 'vitest';
import { FakeBrowser, type FakeWindow } from '../../../../test/support/browser/fake-browser.ts';
import { type PageNews, shareStream } from './share-stream.ts';

interface Member {
  readonly window: FakeWindow;
  readonly heard: string[];
  /** Set while this window leads. */
  tell?: ((news: PageNews) => void) | undefined;
  leave(): void;
}

const hello: PageNews = { kind: 'hello', server: 'a', stream: 's' };

async function join(browser: FakeBrowser): Promise<Member> {
  const window = browser.openWindow();
  const heard: string[] = [];
  const member: Member = { window, heard, leave: () => shared.leave() };
  const lead = (tell: (news: PageNews) => void, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      member.tell = tell;
      signal.addEventListener('abort', () => {
        member.tell = undefined;
        resolve();
      });
    });
  const hear = ({ kind }: PageNews): void => void heard.push(kind);
  const shared = shareStream({ name: 'page', lead, onNews: hear }, window.means);
  await browser.settle();
  return member;
}

test('one window leads, and all get its news', async () => {
  const browser = new FakeBrowser();
  const [one, two, three] = [await join(browser), await join(browser), await join(browser)];
  expect([one.tell, two.tell, three.tell].map((tell) => tell !== undefined)).toEqual([true, false, false]);
  one.tell?.(hello);
  one.tell?.({ kind: 'running' });
  await browser.settle();
  for (const { heard } of [one, two, three]) expect(heard).toEqual(['hello', 'running']);
});

test('a new window gets the current state, and only that window', async () => {
  const browser = new FakeBrowser();
  const one = await join(browser);
  one.tell?.(hello);
  one.tell?.({ kind: 'lost' });
  const two = await join(browser);
  expect([one.heard, two.heard]).toEqual([['hello', 'lost'], ['lost']]);
});

test('another window takes over when the leader closes or crashes', async () => {
  const browser = new FakeBrowser();
  const [one, two, three] = [await join(browser), await join(browser), await join(browser)];
  one.leave();
  await browser.settle();
  expect([two.tell !== undefined, three.tell !== undefined]).toEqual([true, false]);
  two.window.crash();
  await browser.settle();
  expect(three.tell).toBeDefined();
});

test('a frozen leader is replaced as soon as a window becomes visible, and a live one is not', async () => {
  const browser = new FakeBrowser();
  const [one, two] = [await join(browser), await join(browser)];
  await browser.runTimers();
  two.window.show(true);
  await browser.runTimers();
  expect([one.tell !== undefined, two.tell !== undefined]).toEqual([true, false]);
  one.window.freeze();
  two.window.show(true);
  await browser.runTimers();
  expect([one.tell !== undefined, two.tell !== undefined]).toEqual([false, true]);
});
