import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LineTransport } from '../src/serve/stdio/line-transport.ts';
import type { Measurement, Suite } from './suite.ts';
import { serveTurns, type TurnServer } from './turn-server.ts';

/** Code that is only worth its lines if it buys something: each row says what, against the plain way. */
export const keptSuite: Suite = {
  name: 'kept',
  async run() {
    return [await longestTurn(), await refusedLine()];
  },
};

const rounds = 7;
/** Clients that connect at once. */
const crowd = 1_000;

/** `paceConnections`: a call under way waits for the longest turn of the event loop. */
async function longestTurn(): Promise<Measurement> {
  const times: Record<TurnServer, number[]> = { paced: [], plain: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const name of ['paced', 'plain'] as const) times[name].push(await turnWithCrowd(name));
  return {
    name: `longest turn while ${crowd} clients connect`,
    against: 'connections that are not paced',
    ours: median(times.paced) * 1e6,
    theirs: median(times.plain) * 1e6,
    target: { kind: 'faster', factor: 1.5 },
  };
}

async function turnWithCrowd(name: TurnServer): Promise<number> {
  const child = startTurnServer(name);
  try {
    const [port] = (await once(child, 'message')) as [number];
    await arrive(port, crowd / 5);
    child.send('begin');
    await arrive(port, crowd);
    child.send('end');
    const [longest] = (await once(child, 'message')) as [number];
    return longest;
  } finally {
    child.kill();
  }
}

function startTurnServer(name: TurnServer): ChildProcess {
  const module = new URL('turn-server.js', import.meta.url);
  const program = `import('${module.href}').then((it) => it.${serveTurns.name}('${name}'))`;
  return fork('--eval', [program], { cwd: fileURLToPath(new URL('.', module)), execArgv: [] });
}

async function arrive(port: number, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined).resume();
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      await once(socket, 'close');
    }),
  );
}

/** `SalvagedMessage`: a request that is too long is answered, although it is not kept. */
async function refusedLine(): Promise<Measurement> {
  const mebibytes = 32;
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = new LineTransport(input, output);
  await transport.start();
  const answered = once(output, 'data');
  const before = memoryNow();
  const piece = Buffer.alloc(1_048_576, 'x');
  input.write('{"jsonrpc":"2.0","method":"tools/call","params":{"text":"');
  for (let count = 0; count < mebibytes; count += 1) {
    input.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const held = memoryNow() - before;
  input.write('"},"id":7}\n');
  const [answer] = (await answered) as [Buffer];
  if (!answer.includes('"id":7')) throw new Error('the request was not answered');
  await transport.close();
  return {
    name: `memory for a request of ${mebibytes} MiB that is refused, and answered`,
    against: 'keeping it, to read its id at the end',
    ours: Math.max(1, held),
    theirs: mebibytes * 1_048_576,
    unit: 'bytes',
    target: { kind: 'within', factor: 0.1 },
  };
}

function memoryNow(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
