import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createGateway } from '../../../src/gateway/index.ts';
import { toFileUri } from '../../../src/index.ts';
import { tempTree } from '../../../src/testing/index.ts';
import { wireTo } from '../../../src/testing/stdio-wire.ts';
import { type AskedClientName, askedClients, said, thought } from '../../support/peers/asked-clients.ts';
import { type AskingServer, askingServers } from '../../support/peers/asking-servers.ts';
import { builtPeer } from '../../support/processes/build-once.ts';

const pairs = Object.keys(askedClients).flatMap((client) =>
  Object.keys(askingServers).map((server) => [client as AskedClientName, server as AskingServer] as const),
);

describe.each(pairs)('a client %s and a server %s in a process', (clientName, serverName) => {
  test('work together through the gateway, and the roots are those of the operator', async () => {
    using tree = tempTree(['app/']);
    const roots = [{ uri: toFileUri(tree.at('app')), name: 'app' }];
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const gateway = createGateway({
      command: [process.execPath, builtPeer, 'asking', serverName],
      roots: { ceiling: [tree.at('app')], merge: 'operator', cwd: '/', environment: {} },
      denyTool: ['both'],
      stderr: (bytes) => void stderr.write(bytes),
    });
    const connection = gateway.connect({ input: stdin, output: stdout });
    const exited = connection.ended.then(() => ({ code: 0, signal: null }));
    const wire = wireTo({ stdin, stdout, stderr, exited, stop: () => void connection.close() });
    const client = askedClients[clientName]();
    await client.connect(wire);
    const tools = await client.list();
    expect(tools).toContain('plain');
    expect(tools).not.toContain('both');
    expect(await client.call('plain')).toBe('plain');
    expect(await client.call('where')).toStrictEqual(roots);
    expect(await client.call('ask')).toMatchObject(said);
    expect(await client.call('think')).toMatchObject(thought.content);
    await client.close();
    await connection.close();
    expect(wire.stderr()).toBe('');
  });
});
