import { constants } from 'node:os';
import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { findDirectories } from '../../config/own-directory.ts';
import { createGateway, type GatewayConnection, type GatewayOptions } from '../../gateway/create-gateway.ts';
import { mapRefusals } from '../../gateway/map/map-in-words.ts';
import type { UpstreamEnd } from '../../gateway/upstream/upstream.ts';
import { isFileUri } from '../../path/file-uri.ts';
import { expandHome } from '../../path/home.ts';
import type { MergeMode } from '../../policy/merge.ts';
import { openCaughtClients } from '../../serve/caught-clients.ts';
import { followStore, type FollowedStore } from '../../serve/follow-store.ts';
import { forbiddenPlaces, makeOwnDirectories } from '../../serve/forbidden-places.ts';
import { openRecords } from '../../serve/open-records.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { flagOf } from '../../serve/settings/serve-options.ts';
import { untilEnded } from '../../serve/until-ended.ts';
import { exitCode, refuseUsage } from '../terminal/exit-code.ts';
import { pathMapHere } from '../terminal/path-map-here.ts';

export interface WrapFlags {
  readonly root?: readonly string[];
  readonly merge?: MergeMode;
  readonly denyTool?: readonly string[];
  readonly askTool?: readonly string[];
  readonly readOnly: boolean;
  readonly envRoot?: readonly string[];
  readonly map?: readonly string[];
  readonly chdir: boolean;
  readonly name?: string;
  readonly printConfig: boolean;
}

/** Runs a server behind the gateway until the client disconnects, the server ends for good, or a signal comes. */
export async function runWrap(this: CliContext, flags: WrapFlags, ...command: string[]): Promise<void> {
  const [file, ...args] = command;
  if (file === undefined)
    return refuseUsage(this, 'Name the command of a server: rootward wrap -- COMMAND [ARGS...]');
  if (flags.printConfig) return printConfig(this, flags, command);
  const end = await wrap(this, flags, [file, ...args]);
  this.process.exitCode = codeOf(end);
}

async function wrap(
  context: CliContext,
  flags: WrapFlags,
  command: GatewayOptions['command'],
): Promise<UpstreamEnd | undefined> {
  const { env = {}, stderr } = context.process;
  const records = await openRecords(context, { logFile: undefined, debug: false });
  await makeOwnDirectories(context);
  const server = flags.name ?? command[0].replace(/^.*[\\/]/, '');
  const caught = openCaughtClients(findDirectories(env).state);
  try {
    await using store = flags.root === undefined ? await openStore(context, server, records) : undefined;
    const map = await pathMapHere(context, flags.map ?? [], command);
    for (const refusal of mapRefusals(map)) stderr.write(`rootward: ${refusal}\n`);
    const gateway = createGateway({
      ...rulesOf(flags),
      command,
      map,
      name: server,
      roots: {
        ...rootsOf(context, flags),
        caught,
        trace: records.trace,
        ...(store && { operator: store.operator }),
      },
      audit: records.audit,
      cwd: context.cwd,
      env,
      stderr: (bytes) => stderr.write(bytes.toString()),
    });
    stderr.write('rootward: the server is not confined: it runs with your rights\n');
    return await serveClient(context, gateway.connect(streamsOf(context)), store);
  } finally {
    await caught.close();
    await records.close();
  }
}

function openStore(
  context: CliContext,
  server: string,
  records: Parameters<typeof followStore>[2],
): Promise<FollowedStore> {
  return followStore(context, { policy: {}, limited: false, server }, records);
}

function rulesOf({ denyTool, askTool, readOnly, envRoot, chdir }: WrapFlags): Partial<GatewayOptions> {
  return {
    ...(denyTool && { denyTool }),
    ...(askTool && { askTool }),
    ...(envRoot && { envRoot }),
    readOnly,
    chdir,
  };
}

function rootsOf(context: CliContext, { root, merge }: WrapFlags): NonNullable<GatewayOptions['roots']> {
  const absolute = (path: string): string =>
    isFileUri(path) ? path : resolve(context.cwd, expandHome(path));
  return {
    cwd: context.cwd,
    environment: context.process.env ?? {},
    forbidden: forbiddenPlaces(context, { ownFiles: [] }),
    ...(root && { ceiling: root.map(absolute) }),
    ...(merge && { merge }),
  };
}

/** Until one side ends, or a signal comes. */
async function serveClient(
  { guest }: CliContext,
  connection: GatewayConnection,
  store: FollowedStore | undefined,
): Promise<UpstreamEnd | undefined> {
  const stopFollowing = store?.subscribe(() => connection.refresh());
  await untilEnded(guest === undefined ? connection.ended : Promise.race([connection.ended, guest.ended]));
  await connection.close();
  stopFollowing?.();
  return connection.ended;
}

function streamsOf({ guest }: CliContext): Parameters<ReturnType<typeof createGateway>['connect']>[0] {
  if (guest === undefined) return { input: process.stdin, output: process.stdout };
  const { stdin: input, stdout } = guest;
  return {
    input,
    output: new Writable({ write: (chunk: Buffer, _, done) => void stdout.write(chunk, done) }),
  };
}

/** The exit code of the server, as a shell would report it. */
function codeOf(end: UpstreamEnd | undefined): number {
  if (end === undefined) return exitCode.ok;
  if (end.code !== undefined) return end.code;
  return end.signal === undefined ? exitCode.failed : 128 + constants.signals[end.signal];
}

/** Prints the entry that a client needs to start the server behind the gateway. */
function printConfig(
  { process: { stdout } }: CliContext,
  flags: WrapFlags,
  command: readonly string[],
): void {
  const { printConfig: _printed, ...given } = flags;
  const words = Object.entries(given).flatMap(([name, value]) => flagWords(name, value));
  const entry = { command: 'rootward', args: ['wrap', ...words, '--', ...command] };
  stdout.write(`${JSON.stringify(entry, undefined, 2)}\n`);
}

function flagWords(name: string, value: unknown): readonly string[] {
  const flag = flagOf(name);
  if (typeof value === 'boolean') return value ? [flag] : [];
  return [value].flat().flatMap((each) => (typeof each === 'string' ? [flag, each] : []));
}
