import { describe, expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { frameOf, messageIn } from '../relay/wire-frame.ts';
import { declareRoots, rootsListOf, openGatewayRoots } from './gateway-roots.ts';

const around = { cwd: '/', environment: {} };

test('the client is asked once it has declared roots and initialized, and the primary root holds the project', async () => {
  using tree = tempTree(['docs/', 'app/package.json = {}']);
  const asked: string[] = [];
  const ask = async ({ method }: { method: string }) => {
    asked.push(method);
    return { roots: [{ uri: tree.at('docs') }, { uri: tree.at('app') }] };
  };
  const environment = { CLAUDE_PROJECT_DIR: tree.at('app') };
  const roots = openGatewayRoots(ask, { ...around, environment });
  expect((await roots.current()).roots).toEqual([]);
  const clientInfo = { name: 'claude-code', version: '1' };
  roots.heard({ method: 'initialize', params: { capabilities: { roots: {} }, clientInfo } });
  roots.heard({ method: 'notifications/initialized' });
  const { roots: found, primary } = await roots.current();
  expect(rootsListOf({ roots: found, primary }).roots.map(({ name }) => name)).toEqual(['docs', 'app']);
  expect(primary?.path).toBe(tree.at('app'));
  expect(asked).toEqual(['roots/list']);
  expect(await roots.check(tree.at('app/package.json'))).toMatchObject({ allowed: true });
  expect(await roots.check('/etc/passwd')).toMatchObject({ allowed: false });
  await roots.close();
});

describe('an initialize for the server', () => {
  const declare = (params: object): unknown =>
    messageIn(declareRoots(frameOf({ jsonrpc: '2.0', id: 1, method: 'initialize', params })));
  const clientInfo = { name: 'x', version: '1' };

  test('keeps its bytes if it declares roots with changes', () => {
    const capabilities = { roots: { listChanged: true } };
    const frame = frameOf({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities, clientInfo },
    });
    expect(declareRoots(frame)).toBe(frame);
  });

  test.each([[{}], [{ roots: true }], [{ roots: { listChanged: 'yes' } }], [{ sampling: {}, roots: {} }]])(
    'declares roots in the place of %j',
    (capabilities) => {
      expect(declare({ protocolVersion: '2025-06-18', capabilities, clientInfo })).toMatchObject({
        params: { capabilities: { roots: { listChanged: true } }, clientInfo },
      });
    },
  );

  test('asks for the last revision that has it in the place of 2026-07-28', () => {
    expect(declare({ protocolVersion: '2026-07-28', capabilities: {}, clientInfo })).toMatchObject({
      params: { protocolVersion: '2025-11-25' },
    });
  });
});
