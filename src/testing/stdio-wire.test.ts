import { expect, test } from 'vitest';
import { openStdioWire } from './stdio-wire.ts';
import type { WireMessage } from './wires.ts';

const run = (code: string): { command: string; args: string[] } => ({
  command: process.execPath,
  args: ['--input-type=module', '-e', code],
});

test('passes on messages, and collects other output as noise', async () => {
  const wire = openStdioWire(
    run(`console.log('{"jsonrpc":"2.0","id":1}\\nhello\\n{"json":1}\\nnull'); console.error('aside')`),
  );
  const seen: WireMessage[] = [];
  wire.onmessage = (message) => seen.push(message);
  const closed = new Promise<void>((resolve) => (wire.onclose = resolve));
  expect(await wire.leave()).toEqual({ code: 0, signal: null, stopped: false });
  await closed;
  expect(seen).toEqual([{ jsonrpc: '2.0', id: 1 }]);
  expect(wire.noise).toEqual(['hello', '{"json":1}', 'null']);
  expect(wire.stderr()).toBe('aside\n');
});

test('sends messages as lines', async () => {
  const wire = openStdioWire(run(`process.stdin.pipe(process.stdout)`));
  const back = new Promise<WireMessage>((resolve) => (wire.onmessage = resolve));
  await wire.send({ jsonrpc: '2.0', method: 'x', params: { text: 'a\nb' } });
  expect(await back).toEqual({ jsonrpc: '2.0', method: 'x', params: { text: 'a\nb' } });
  await wire.close();
});

test('kills a process that does not end', async () => {
  const wire = openStdioWire(run(`setInterval(() => {}, 1000); console.log('up')`));
  expect(await wire.leave()).toEqual({ code: null, signal: 'SIGKILL', stopped: true });
});

test('reports a missing command as an end of the connection', async () => {
  const wire = openStdioWire({ command: 'no-such-command-anywhere' });
  expect(await wire.leave()).toEqual({ code: null, signal: null, stopped: false });
});
