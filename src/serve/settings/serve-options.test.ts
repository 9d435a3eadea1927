import { expect, test } from 'vitest';
import { flagOf, numberFault, serveOptionList, variableFault, variableOf } from './serve-options.ts';

test('every option has its own key', () => {
  const keys = serveOptionList.map(([name, { key = name }]) => key || `${name} has none`);
  expect(new Set(keys).size).toBe(keys.length);
});

test.each(serveOptionList)(
  '%s says all that its readers need',
  (name, { kind, brief, placeholder, ...rest }) => {
    // It becomes `--log-file` and `ROOTWARD_LOG_FILE`.
    expect(name).toMatch(/^[a-z]+(?:[A-Z][a-z]+)*$/);
    expect(brief).toMatch(/^[A-Z].*[^.]$/);
    expect(rest.most !== undefined).toBe(kind === 'number');
    expect(['switch', 'merge', 'preset'].includes(kind)).toBe(placeholder === undefined);
    if (rest.negatable !== undefined) expect(kind).toBe('switch');
  },
);

test('a name is a flag and a variable', () => {
  expect([flagOf('logFile'), variableOf('logFile')]).toEqual(['--log-file', 'ROOTWARD_LOG_FILE']);
  expect([flagOf('http'), variableOf('http')]).toEqual(['--http', 'ROOTWARD_HTTP']);
});

test.each<[value: unknown, fits: boolean]>([
  [1, true],
  [9, true],
  [0, false],
  [10, false],
  [1.5, false],
  [Number.NaN, false],
  ['5', false],
])('%s among whole numbers from 1 to 9: %s', (value, fits) => {
  expect(numberFault(value, 9)).toBe(fits ? undefined : 'it is not a whole number from 1 to 9');
});

test.each([
  ['GOPATH', true],
  ['_x1', true],
  ['A=b', false],
  ['1A', false],
  ['', false],
])('%j as the name of a variable: %s', (name, fits) => {
  expect(variableFault(name) === undefined).toBe(fits);
});
