import { expect, test } from 'vitest';
import { RootwardError } from '../errors.ts';
import { wrapHere } from '../../test/support/peers/wrap-here.ts';
import { createGateway } from './create-gateway.ts';

test('rules that cannot be used are refused before a client comes', () => {
  expect(() => createGateway({ command: ['x'], askTool: ['!('] })).toThrow(RootwardError);
});

test('a placeholder that the client left in the command line is reported', () => {
  let said = '';
  createGateway({ command: ['x', '${workspaceFolder}'], stderr: (bytes) => void (said += bytes.toString()) });
  expect(said).toContain('"${workspaceFolder}"');
});

test('each client has its own process', async () => {
  await using one = wrapHere();
  await using other = wrapHere();
  await Promise.all([one.initialize(), other.initialize()]);
  expect(await one.call('pid')).not.toBe(await other.call('pid'));
});
