import type { DifficultClient, Player, PlayOptions, WireMessage } from '../../../src/testing/index.ts';
import { difficultClients, playClient } from '../../../src/testing/index.ts';
import { openStdioWire, type StdioWire } from '../../../src/testing/stdio-wire.ts';
import { type CommandOptions, type OwnCommand, serveCommand } from './command.ts';
import { openWireHere } from './serve-here.ts';

/** What a tool said, as far as a model reads it. */
export interface Answer {
  readonly refused: boolean;
  readonly text: string;
  /** The code of a refusal of ours. */
  readonly code?: string;
}

/** A server, and a client without any SDK that can break every rule. */
export interface Spoken extends AsyncDisposable {
  readonly player: Player;
  readonly wire: StdioWire;
  /** Where its logs are. */
  readonly home: string;
  /** Everything that came after the introduction. */
  readonly received: readonly WireMessage[];
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** Lists others from now on, and says so. */
  change(...uris: readonly string[]): Promise<void>;
}

export interface SpeakOptions extends CommandOptions, Omit<PlayOptions, 'roots'> {
  /** Answers at once by default, if there are roots; else it has none to declare. */
  readonly client?: DifficultClient;
  /** URIs. */
  readonly roots?: readonly string[];
}

export async function speak(options: SpeakOptions = {}): Promise<Spoken> {
  return speakTo(serveCommand(options), choose(options));
}

/** The same with a server in the process of the test, for what depends on settings and calls alone. */
export async function speakHere(options: SpeakOptions = {}): Promise<Spoken> {
  const command = serveCommand(options);
  return speakOver(openWireHere(command), command, choose(options));
}

function choose({ client, roots, ...options }: SpeakOptions): SpeakTo {
  const chosen = client ?? difficultClients[roots === undefined ? 'undeclared' : 'cooperative'];
  return { ...options, client: chosen, roots: roots ?? [] };
}

type SpeakTo = Required<Pick<SpeakOptions, 'client' | 'roots'>> & Omit<PlayOptions, 'roots'>;

/** The same with any program. */
export async function speakTo(command: OwnCommand, options: SpeakTo): Promise<Spoken> {
  return speakOver(openStdioWire(command), command, options);
}

async function speakOver(
  wire: StdioWire,
  command: OwnCommand,
  { client, roots, ...options }: SpeakTo,
): Promise<Spoken> {
  const listed = roots.map((uri) => ({ uri }));
  const player = await playClient(client, wire, { ...options, roots: listed });
  return {
    player,
    wire,
    home: command.home,
    received: record(wire),
    call: async (tool, args = {}) => toAnswer(await player.call(tool, args)),
    async change(...uris) {
      listed.splice(0, listed.length, ...uris.map((uri) => ({ uri })));
      await wire.send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
    },
    async [Symbol.asyncDispose]() {
      await player.close();
      command[Symbol.dispose]();
    },
  };
}

function record(wire: StdioWire): readonly WireMessage[] {
  const received: WireMessage[] = [];
  const { onmessage } = wire;
  wire.onmessage = (message) => {
    received.push(message);
    onmessage?.(message);
  };
  return received;
}

interface Result {
  readonly isError?: boolean;
  readonly content?: readonly { readonly text?: string }[];
  readonly structuredContent?: { readonly error?: { readonly code?: string } };
  readonly _meta?: { readonly 'rootward/error'?: { readonly code?: string } };
}

function toAnswer(report: Awaited<ReturnType<Player['call']>>): Answer {
  if (report.outcome !== 'result')
    return { refused: true, text: JSON.stringify(report.error ?? report.outcome) };
  const { isError, content, structuredContent, _meta } = report.result as Result;
  const code = _meta?.['rootward/error']?.code ?? structuredContent?.error?.code;
  return {
    refused: isError === true,
    text: content?.map(({ text }) => text ?? '').join('\n') ?? '',
    ...(code !== undefined && { code }),
  };
}
