import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { openRootStore } from '../../../src/client/index.ts';
import { canRun, needs } from '../../support/processes/system-programs.ts';
import {
  expectAccessible,
  focused,
  openScene,
  type Scene,
  sharedBrowser,
  takePicture,
} from '../../support/browser/browser.ts';

const entries = [
  'work/shop/package.json = {"name":"shop"}',
  'work/shop/src/a.ts',
  'work/docs/guide/readme.md',
  'work/tool/Cargo.toml = [package]\nname = "tool"',
  'work/.hidden/x',
  'work/one.txt',
];

const row = (page: Page, name: string): Locator =>
  page.locator('.root-row').filter({ has: page.getByRole('button', { name: `${name}, details` }) });

async function sceneWith(browser: Browser, ...names: readonly string[]): Promise<Scene> {
  const scene = await openScene(browser, { entries });
  await using store = await openRootStore({ file: scene.options.file ?? '' });
  for (const name of names) await store.add(scene.tree.at('work', name));
  for (const name of names) await row(scene.page, name).waitFor();
  return scene;
}

describe.runIf(canRun('chromium'))(`the roots on the page${needs('chromium')}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  test('an empty page teaches, and the first root is picked among suggestions with the mouse', async () => {
    await using scene = await openScene(browser, { entries });
    const { page } = scene;
    await page.getByText('No roots yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add the first root' }).click();
    const shop = page.locator('.pick').filter({ hasText: 'shop' });
    expect(await shop.textContent()).toContain('package.json');
    await shop.click();
    await page.getByText('No problems found with shop').waitFor();
    await expectAccessible(page);
    await takePicture(page, 'add-light-1180');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await row(page, 'shop').getByText('available').waitFor();
    expect(new URL(page.url()).hash).toBe('');
    expect(scene.complaints).toEqual([]);
  });

  test('several suggestions are added at once, with the keyboard alone', async () => {
    await using scene = await openScene(browser, { entries });
    const { page } = scene;
    await page.getByRole('button', { name: 'Add a root', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox', { name: /^shop/ }).waitFor();
    // Where a person who knows the path continues typing.
    expect(await focused(page)).toBe('Path or file URI');
    for (const name of ['shop', 'tool']) {
      await page.getByRole('checkbox', { name: new RegExp(`^${name}`) }).focus();
      await page.keyboard.press('Space');
    }
    await page.getByText('No problems found with 2 folders').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add 2' }).focus();
    await page.keyboard.press('Enter');
    await Promise.all([row(page, 'shop').waitFor(), row(page, 'tool').waitFor()]);
    await page.getByText(/^Added (shop and tool|tool and shop)/).waitFor();
  });

  test('a folder is found by browsing, with the keyboard alone', async () => {
    await using scene = await openScene(browser, { entries });
    const { page } = scene;
    await page.getByRole('button', { name: 'Add a root', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Suggested' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('Browse');
    await page.getByText('Only folders are listed').waitFor();
    await page.getByRole('button', { name: 'Open docs' }).focus();
    expect(await page.getByText('.hidden').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.locator('.folders').getByRole('button', { name: 'guide', exact: true }).focus();
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('Path or file URI').inputValue()).toBe(scene.tree.at('work/docs/guide'));
    await page.getByText('No problems found with').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Path or file URI').focus();
    await page.keyboard.press('Enter');
    await row(page, 'guide').waitFor();
  });

  test('a long folder is shown piece by piece, and one that is too long says so', async () => {
    await using scene = await openScene(browser, { entries });
    const { page, tree } = scene;
    for (let count = 0; count < 450; count += 1)
      mkdirSync(tree.at(`work/many/f${count}`), { recursive: true });
    await page.getByRole('button', { name: 'Add a root', exact: true }).click();
    await page.getByRole('tab', { name: 'Browse' }).click();
    await page.getByRole('button', { name: 'Open many' }).click();
    await page.getByRole('button', { name: 'Show more of 450 folders' }).click();
    await expect.poll(() => page.locator('.folder').count()).toBe(450);
    await page.route('**/api/browse*', async (route) => {
      const real = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...real, truncated: true } });
    });
    await page.locator('.crumb').first().click();
    await page.getByText('too many folders to list').waitFor();
  });

  test('what cannot be a root says why before it is added', async () => {
    await using scene = await sceneWith(browser, 'shop');
    const { page, tree } = scene;
    await page.getByRole('button', { name: 'Add a root' }).click();
    const field = page.getByLabel('Path or file URI');
    const add = page.getByRole('button', { name: 'Add', exact: true });
    for (const [path, reason] of [
      [tree.at('work/nothing'), 'does not exist'],
      [tree.at('work/shop'), 'a root already'],
      [tree.at('home'), 'outside'],
      ['/etc', '/etc'],
      ['https://example.com/', 'file'],
    ] as const) {
      await field.fill(path);
      await page.locator('.look').getByText(reason).first().waitFor();
      expect(await add.isDisabled()).toBe(true);
    }
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('a path that is dropped is offered', async () => {
    await using scene = await openScene(browser, { entries });
    const { page, tree } = scene;
    const drop = async (kind: string, text: string): Promise<void> => {
      const data = await page.evaluateHandle(
        `(() => {
          const transfer = new DataTransfer();
          transfer.setData(${JSON.stringify(kind)}, ${JSON.stringify(text)});
          return transfer;
        })()`,
      );
      await page.dispatchEvent('.view', 'dragover', { dataTransfer: data });
      await page.getByText('Drop a path to add it').waitFor();
      await page.dispatchEvent('.view', 'drop', { dataTransfer: data });
    };
    await drop('text/plain', 'no path at all');
    await page.getByText('does not reveal the path').waitFor();
    await drop('text/uri-list', `file://${tree.at('work/one.txt')}`);
    await page.getByText('No problems found with').waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await row(page, 'one.txt').getByText('file', { exact: true }).waitFor();
    expect(scene.complaints).toEqual([]);
  });

  test('permissions are switches, by mouse and by keyboard, and the file says the same', async () => {
    await using scene = await sceneWith(browser, 'shop');
    const { page, options } = scene;
    const write = row(page, 'shop').getByRole('switch', { name: 'Write' });
    await write.click();
    await page.locator('.switch[aria-checked="true"]').nth(2).waitFor();
    expect(readFileSync(options.file ?? '', 'utf8')).toContain('"write"');
    await row(page, 'shop').getByRole('switch', { name: 'List' }).focus();
    await page.keyboard.press('Space');
    await expect
      .poll(() => row(page, 'shop').getByRole('switch', { name: 'List' }).getAttribute('aria-checked'))
      .toBe('false');
  });

  test('each operation can be off, ask or on; a click that ends the asking can be taken back', async () => {
    await using scene = await sceneWith(browser, 'shop');
    const { page, options, tree } = scene;
    const permissions = async (): Promise<unknown> => {
      await using store = await openRootStore({ file: options.file ?? '' });
      const { allow, ask } = store.get(tree.at('work/shop'))?.permissions ?? {};
      return [allow?.includes('write') ?? false, ask?.includes('write') ?? false];
    };
    await page.getByRole('button', { name: 'shop, details' }).click();
    await page.getByRole('radio', { name: 'Write: Asks' }).click();
    await expect.poll(permissions).toEqual([false, true]);
    await expectAccessible(page);
    await takePicture(page, 'detail-light-1180');
    await page.keyboard.press('ArrowRight');
    await expect.poll(permissions).toEqual([true, false]);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(permissions).toEqual([false, true]);
    await page.keyboard.press('Escape');
    await row(page, 'shop').getByRole('switch', { name: 'Write, asks first' }).click();
    await expect.poll(permissions).toEqual([true, false]);
    await page.getByText('You will no longer be asked before shop is written to').last().waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().focus();
    await page.keyboard.press('Enter');
    await expect.poll(permissions).toEqual([false, true]);
    await row(page, 'shop').getByRole('switch', { name: 'Write, asks first' }).waitFor();
    expect(await focused(page)).not.toBe('Rootward');
  });

  test('restrictions are chips, single servers have permissions and a choice of roots of their own', async () => {
    await using scene = await sceneWith(browser, 'shop', 'docs');
    const { page, options } = scene;
    await row(page, 'shop').getByRole('button', { name: 'shop, details' }).click();
    await page.getByLabel('New restriction').fill('dist/**');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove the restriction dist/**' }).waitFor();
    await page.getByLabel('New restriction').fill('[');
    await page.keyboard.press('Enter');
    await page.locator('.toast.bad').waitFor();
    await page.getByLabel('Name of a server').fill('search');
    await page.keyboard.press('Enter');
    const server = page.locator('.server').filter({ hasText: 'search' });
    await server.getByRole('radio', { name: 'Remove: On' }).click();
    await expect.poll(() => readFileSync(options.file ?? '', 'utf8')).toContain('"remove"');
    // The box shows what is kept, so it changes when that has changed.
    await server.getByRole('checkbox', { name: 'search sees it' }).click();
    await server.getByText('Sees only 1 root of 2').waitFor();
    await expectAccessible(page);
    const text = readFileSync(options.file ?? '', 'utf8');
    expect(text).toContain('dist/**');
    expect(text).toContain('"search"');
    await server.getByRole('button', { name: 'Let it see all again' }).click();
    await server.getByText('Sees only').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove the restriction dist/**' }).click();
    await page.locator('.dialog .chip.deny').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await row(page, 'shop').getByText('1 exception').waitFor();
  });

  test('a name is changed where it stands, and a name that is taken is refused', async () => {
    await using scene = await sceneWith(browser, 'shop', 'docs');
    const { page } = scene;
    await row(page, 'shop').getByRole('button', { name: 'shop, details' }).focus();
    await page.keyboard.press('F2');
    await page.keyboard.type('Store');
    await page.keyboard.press('Enter');
    await row(page, 'Store').waitFor();
    await page.getByRole('button', { name: 'Rename Store' }).click();
    const field = page.getByLabel('New name of Store');
    await field.fill('docs');
    await field.press('Enter');
    await page.getByText('another root has it').waitFor();
    await field.press('Escape');
    await row(page, 'Store').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Store');
  });

  test('a root is removed at once, and the message takes it back with everything', async () => {
    await using scene = await sceneWith(browser, 'shop', 'docs');
    const { page, options, tree } = scene;
    await row(page, 'shop').getByRole('switch', { name: 'Write' }).click();
    await expect.poll(() => readFileSync(options.file ?? '', 'utf8')).toContain('write');
    const record = async (): Promise<unknown> => {
      await using store = await openRootStore({ file: options.file ?? '' });
      return store.get(tree.at('work/shop'));
    };
    const before = await record();
    await row(page, 'shop').getByRole('button', { name: 'shop, details' }).focus();
    await page.keyboard.press('Delete');
    await row(page, 'shop').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'shop').waitFor();
    expect([before === undefined, await record()]).toEqual([false, before]);
  });

  test('of two removed roots each comes back by itself, and the focus is never lost', async () => {
    await using scene = await sceneWith(browser, 'docs', 'shop', 'tool');
    const { page } = scene;
    await row(page, 'shop').getByRole('button', { name: 'shop, details' }).focus();
    await page.keyboard.press('Delete');
    await row(page, 'shop').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('tool, details');
    await page.keyboard.press('Delete');
    await row(page, 'tool').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('docs, details');
    const undo = page
      .locator('.toast')
      .filter({ hasText: 'Removed shop' })
      .getByRole('button', { name: 'Undo' });
    await undo.focus();
    await page.keyboard.press('Enter');
    await row(page, 'shop').waitFor();
    expect(await row(page, 'tool').count()).toBe(0);
    await page
      .locator('.toast')
      .filter({ hasText: 'Removed tool' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await row(page, 'tool').waitFor();
    for (const name of ['docs', 'shop', 'tool']) {
      await row(page, name)
        .getByRole('button', { name: `Remove ${name}` })
        .click();
      await row(page, name).waitFor({ state: 'detached' });
    }
    await expect.poll(() => focused(page)).toBe('Add a root');
  });

  test('what happens in a terminal, in another window and on the disk appears by itself', async () => {
    await using scene = await sceneWith(browser, 'shop');
    const { page, tree, options } = scene;
    const other = await scene.newWindow();
    await other.goto(scene.web.link());
    await row(other, 'shop').waitFor();
    await row(other, 'shop').getByRole('switch', { name: 'Write' }).click();
    await expect
      .poll(() => row(page, 'shop').getByRole('switch', { name: 'Write' }).getAttribute('aria-checked'))
      .toBe('true');
    await using terminal = await openRootStore({ file: options.file ?? '' });
    await terminal.add(tree.at('work/tool'));
    await Promise.all([row(page, 'tool').waitFor(), row(other, 'tool').waitFor()]);
    rmSync(tree.at('work/tool'), { recursive: true });
    await row(page, 'tool').getByText('missing').waitFor();
    await page.getByLabel('Needs attention (1)').check();
    await expect.poll(() => page.locator('.root-row').count()).toBe(1);
    writeFileSync(options.file ?? '', '{ "roots": [');
    await page.getByRole('alert').getByText('roots.jsonc').waitFor();
  });

  test('arrow keys go from root to root', async () => {
    await using scene = await sceneWith(browser, 'docs', 'shop', 'tool');
    const { page } = scene;
    await row(page, 'docs').getByRole('button', { name: 'docs, details' }).focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('shop');
    await page.keyboard.press('End');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('tool');
  });
});
