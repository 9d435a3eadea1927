import { expect, test } from 'vitest';
import type { ServeFlags } from './serve-options.ts';
import { serveVariables } from './serve-variables.ts';
import { tellUnread } from './tell-unread.ts';

interface Saying {
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: ServeFlags;
  readonly http?: string;
}

function told({ env = {}, flags = {}, http }: Saying): string {
  let text = '';
  const terminal = { write: (part: string) => void (text += part) };
  const context = { process: { stdout: terminal, stderr: terminal, env }, cwd: '/' };
  tellUnread(context, flags, { http });
  return text;
}

test('a misspelled variable is told, with what may have been meant, and without its value', () => {
  expect(told({ env: { ROOTWARD_READ_ONYL: 'hush', PATH: '/bin' } })).toBe(
    'rootward: Warning: "ROOTWARD_READ_ONYL" means nothing; did you mean ROOTWARD_READ_ONLY?\n',
  );
});

test('a variable that is like none of ours is told, too, and cannot make up a line', () => {
  const text = told({ env: { 'ROOTWARD_COLOUR\nrootward: all is well': '1' } });
  expect(text.split('\n')).toHaveLength(2);
  expect(text).not.toContain('did you mean');
});

test('what is read, is empty, or is not ours is nothing to tell', () => {
  const read = [
    ...serveVariables,
    'ROOTWARD_HOME',
    'ROOTWARD_TOKEN',
    'ROOTWARD_SEALING_KEY',
    'ROOTWARD_SESSIONS_PASSWORD',
    'ROOTWARD_WORKER_PORT',
  ];
  const env = Object.fromEntries(read.map((name) => [name, 'x']));
  expect(told({ env: { ...env, ROOTWARD_READ_ONYL: '', MY_ROOTWARD_X: '1' } })).toBe('');
});

test('a flag that means something over HTTP alone is told on stdio', () => {
  const flags: ServeFlags = { host: ['a.example'], tokenFile: '/token', merge: 'union' };
  expect(told({ flags })).toBe(
    ['--host', '--token-file']
      .map((flag) => `rootward: Warning: ${flag} means nothing without --http\n`)
      .join(''),
  );
  expect(told({ flags, http: '' })).toBe('');
});
