import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { AttachOptions, Rootward } from '../../../src/server/index.ts';
import {
  asksIn,
  type DifficultClient,
  linkWires,
  playClient,
  type Player,
  type PlayOptions,
  type Wire,
  type WireRecord,
} from '../../../src/testing/index.ts';
import type { BuildParts, SdkName } from './fixtures/build-parts.ts';
import { build12 } from './fixtures/build-12.ts';
import { buildV1 } from './fixtures/build-v1.ts';
import { buildV2 } from './fixtures/build-v2.ts';

/** A difficult client on a server of an SDK, in memory. */
export interface Played extends AsyncDisposable {
  readonly player: Player;
  readonly rootward: Rootward;
  readonly records: readonly WireRecord[];
  /** How often it was asked for its roots. */
  readonly asks: () => number;
  /** Sends something that is no request. */
  readonly notify: (message: object) => Promise<void>;
}

export interface PlayOnOptions extends PlayOptions {
  readonly options?: AttachOptions;
}

/** Nothing from this process tells a project. */
const alone = { environment: {}, cwd: '/' } as const;

export async function playOn(sdk: SdkName, client: DifficultClient, parts: PlayOnOptions): Promise<Played> {
  const { options, ...play } = parts;
  const wires = linkWires();
  const rootward = await connect(sdk, wires.server, { options: { ...alone, ...options } });
  const player = await playClient(client, wires.client, play);
  return {
    player,
    rootward,
    records: wires.records,
    asks: () => asksIn(wires.records),
    notify: async (message) => wires.client.send(message),
    async [Symbol.asyncDispose]() {
      await player.close();
      await rootward.close();
    },
  };
}

async function connect(sdk: SdkName, wire: Wire, parts: BuildParts): Promise<Rootward> {
  switch (sdk) {
    case 'v2': {
      // Both eras: the first message decides. One server is enough, since one client comes.
      const { server, rootward } = buildV2(parts);
      serveStdio(() => server, { transport: wire });
      return rootward;
    }
    case 'v1': {
      const { server, rootward } = buildV1(parts);
      await server.connect(wire);
      return rootward;
    }
    case 'v1.12': {
      const { server, rootward } = build12(parts);
      await server.connect(wire);
      return rootward;
    }
  }
}
