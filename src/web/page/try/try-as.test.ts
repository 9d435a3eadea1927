import { expect, test } from 'vitest';
import type { ProcessView } from '../../wire/wire.ts';
import { asWhom, tryAsOptions } from './try-as.ts';

function running(id: string, clients: readonly string[], more: object = { rules: {} }): ProcessView {
  const connections = clients.map((client, at) => ({ id: String(at), client }));
  return { id, pid: 7, command: 'serve', connections, ...more } as unknown as ProcessView;
}

test('offers every client of a server that announces its rules', () => {
  const all = [running('a', ['Editor', 'Searcher']), running('b', []), running('c', ['Old'], {})];
  const options = tryAsOptions(all);
  expect(options.map(({ name }) => name)).toEqual([
    'Editor at rootward serve, process 7',
    'Searcher at rootward serve, process 7',
    'rootward serve, process 7',
  ]);
  expect(options.map(({ value }) => asWhom(value, all))).toEqual([
    { process: 'a', connection: '0' },
    { process: 'a', connection: '1' },
    { process: 'b' },
  ]);
});

test('a client that is gone counts as none', () => {
  const [option] = tryAsOptions([running('a', ['Editor'])]);
  expect(asWhom(option?.value ?? '', [])).toBeUndefined();
  expect(asWhom('', [running('a', [])])).toBeUndefined();
});

test('a hostile name stays short and visible', () => {
  const [option] = tryAsOptions([running('a', [`\u202E${'n'.repeat(5_000)}`])]);
  expect(option?.name).toMatch(/^U\+202En+…n+ at rootward/);
  expect(option?.name.length).toBeLessThan(120);
});
