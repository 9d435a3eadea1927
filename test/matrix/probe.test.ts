import { describe, expect, test } from 'vitest';
import {
  difficultClients,
  type DifficultClientName,
  probeServer,
  tempTree,
} from '../../src/testing/index.ts';
import { serverCommand } from '../support/peers/connect-stdio.ts';
import type { SdkName } from '../support/peers/fixtures/build-parts.ts';

const patience = 250;
const calls = [{ tool: 'where' }, { tool: 'where' }];

/** Those whose trouble is on the wire itself, where a process of its own makes a difference. */
const cases = [
  { sdk: 'v2', names: ['cooperative', 'silent', 'nullResult', 'storm', 'asksMeanwhile', 'tenThousand'] },
  { sdk: 'v1', names: ['cooperative', 'silent', 'nullResult', 'storm'] },
  { sdk: 'v1.12', names: ['cooperative', 'silent'] },
] as const satisfies readonly { sdk: SdkName; names: readonly DifficultClientName[] }[];

describe.each(cases)('a process with a server of SDK $sdk', ({ sdk, names }) => {
  test.each(names.map((name) => [difficultClients[name].about, name] as const))(
    'answers a client that %s, and leaves when it does',
    async (_about, name) => {
      using tree = tempTree(['home/.git/', 'app/.git/']);
      const command = serverCommand(sdk, { ceiling: [tree.at('home')], timeout: patience });
      const roots = [{ uri: `file://${tree.at('app')}` }];
      const client = difficultClients[name];
      const report = await probeServer(command, { client, roots, calls, patience });
      expect(report.greeted).toBe(true);
      expect(report.calls.map(({ outcome }) => outcome)).toEqual(['result', 'result']);
      const asks = report.asks.filter(({ method }) => method === 'roots/list');
      expect(asks).toHaveLength(name === 'storm' ? 2 : 1);
      expect(report.noise).toEqual([]);
      expect(report.stderr).toBe('');
      expect(report.exit).toEqual({ code: 0, signal: null, stopped: false });
    },
  );
});

test('a process with a server of SDK v2 answers a client of 2026-07-28 with messages alone', async () => {
  using tree = tempTree(['app/.git/']);
  const report = await probeServer(serverCommand('v2'), {
    client: difficultClients.modernCooperative,
    roots: [{ uri: `file://${tree.at('app')}` }],
    calls,
  });
  expect(report.calls).toMatchObject([
    { outcome: 'result', rounds: 2 },
    { outcome: 'result', rounds: 2 },
  ]);
  expect(report.noise).toEqual([]);
  expect(report.exit).toEqual({ code: 0, signal: null, stopped: false });
});
