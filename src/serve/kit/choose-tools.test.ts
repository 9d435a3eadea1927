import { expect, test } from 'vitest';
import { chooseOwnTools, chooseTools } from './choose-tools.ts';

test('without a word every tool is chosen', () => {
  expect(chooseTools({})('read_text_file')).toBe(true);
  expect(chooseOwnTools(chooseTools({}))).toEqual(['list_roots', 'why', 'switch_project']);
});

test('takes globs of names, and leaves others out again', () => {
  const isChosen = chooseTools({ tools: ['read_*', 'why'], noTools: ['read_m*'] });
  expect(['read_file', 'read_media_file', 'write_file', 'why'].filter(isChosen)).toEqual([
    'read_file',
    'why',
  ]);
  expect(chooseOwnTools(isChosen)).toEqual(['why']);
});

test.each([{ tools: ['raed_*'] }, { noTools: ['raed_*'] }])('refuses a glob of no tool: %o', (choice) => {
  expect(() => chooseTools(choice)).toThrow('no tool is called "raed_*"');
});
