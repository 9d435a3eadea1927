import { stripVTControlCharacters } from 'node:util';
import { type IPty, spawn } from '@lydell/node-pty';
import { program } from './program.ts';
import { environmentOf } from './run-command.ts';
import type { OwnHome } from './own-home.ts';

/** A person before a real pseudo-terminal, in which `rootward roots …` runs. */
export interface OpenTerminal extends Disposable {
  /** Everything that was shown, without colours. */
  shown(): string;
  /** Waits until something is shown that was not there when it last waited. */
  see(pattern: RegExp): Promise<void>;
  type(keys: string): void;
  readonly ended: Promise<number>;
}

export const keys = {
  enter: '\r',
  tab: '\t',
  down: '\u001B[B',
  up: '\u001B[A',
  escape: '\u001B',
  interrupt: '\u0003',
};

export function openTerminal(home: OwnHome, ...argv: readonly string[]): OpenTerminal {
  const terminal = spawn(process.execPath, [program, 'roots', ...argv], {
    cols: 120,
    rows: 40,
    cwd: home.at(),
    env: { ...environmentOf(home), TERM: 'xterm-256color' },
  });
  let text = '';
  let seen = 0;
  const listeners = new Set<() => void>();
  terminal.onData((data) => {
    text += data;
    for (const listener of listeners) listener();
  });
  const shown = (): string => stripVTControlCharacters(text);
  return {
    shown,
    see: (pattern) =>
      waitUntil(listeners, () => {
        const match = pattern.exec(shown().slice(seen));
        if (match !== null) seen += match.index + match[0].length;
        return match !== null;
      }).catch(() => {
        throw new Error(`${String(pattern)} was not shown, but:\n${shown().slice(seen)}`);
      }),
    type: (text_) => terminal.write(text_),
    ended: exitOf(terminal),
    [Symbol.dispose]: () => terminal.kill('SIGKILL'),
  };
}

function exitOf(terminal: IPty): Promise<number> {
  return new Promise((resolve) => {
    terminal.onExit(({ exitCode }) => resolve(exitCode));
  });
}

/** Asks again whenever more is shown; ten seconds at most. */
function waitUntil(listeners: Set<() => void>, isTrue: () => boolean): Promise<void> {
  if (isTrue()) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => end(reject), 10_000);
    const look = (): void => void (isTrue() && end(resolve));
    const end = (settle: () => void): void => {
      clearTimeout(late);
      listeners.delete(look);
      settle();
    };
    listeners.add(look);
  });
}
