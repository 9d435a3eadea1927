import { type AuditSink, createMemorySink } from '../audit/sink.ts';
import type { AttachOptions } from '../server/settings/attach-options.ts';
import { compileToolRules, type ToolRules } from './calls/tool-rules.ts';
import { createPathMap, type PathMap } from './map/path-map.ts';
import type { ClientStreams } from './relay/client-link.ts';
import { openGatewayRoots } from './roots/gateway-roots.ts';
import { findUnfilled, type LaunchTemplate } from './upstream/launch.ts';
import type { UpstreamEnd } from './upstream/upstream.ts';
import { WrappedConnection } from './wrapped-connection.ts';

/** The server of a gateway, and the rules for its clients. */
export interface GatewayOptions extends ToolRules {
  /**
   * The program and its arguments. `{root}` in an argument is the primary root; an argument with `{roots}` stands
   * once for each root. The server is restarted when they change.
   */
  readonly command: readonly [file: string, ...args: string[]];
  /** The name of the server in the audit log; by default that of its program. */
  readonly name?: string;
  /** Variables of the server that hold the primary root. */
  readonly envRoot?: readonly string[];
  /** Starts the server in the primary root. */
  readonly chdir?: boolean;
  /** Names of directories that the server has otherwise, as in a container. It changes names, and grants nothing. */
  readonly map?: PathMap;
  /** How the roots are found, as for `attach`: the ceiling, the merge, the operator, the trace. */
  readonly roots?: Omit<AttachOptions, 'audit' | 'eager' | 'chdir' | 'tools' | 'overHttp'>;
  /** Receives every call; by default the last 1,000 are kept in memory. */
  readonly audit?: AuditSink;
  /** The directory in which the server starts; by default that of this process. */
  readonly cwd?: string;
  /** The whole environment of the server; by default that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Receives what the server writes to stderr, and sentences of the gateway; by default stderr. */
  readonly stderr?: (bytes: Buffer | string) => void;
}

/** One client with its own process of the server. */
export interface GatewayConnection {
  /** Resolves when everything has ended: to the end of the server, or to `undefined` if there was none. */
  readonly ended: Promise<UpstreamEnd | undefined>;
  /** Looks for the roots again, because the operator's settings have changed. */
  refresh(): void;
  /** Ends the server: by the end of its input, then SIGTERM, then SIGKILL. */
  close(): Promise<void>;
}

export interface Gateway {
  /** Connects a client, and starts a server for it at its first message. */
  connect(client: ClientStreams): GatewayConnection;
}

/**
 * Creates a gateway between clients and a server that need not know roots. The server is told the roots that the
 * gateway finds, whatever the client says; everything else passes as it comes, byte for byte. Each client has its
 * own process of the server.
 *
 * Not guaranteed: that the server stays in its roots. It runs with the rights of this process.
 *
 * @throws {RootwardError} `INVALID_POLICY`, `INVALID_PATH`, if the options cannot be used
 * @example
 * ```ts
 * import { PassThrough } from 'node:stream';
 *
 * const gateway = createGateway({ command: ['node', 'server.js', '{roots}'], denyTool: ['delete_*'] });
 * const connection = gateway.connect({ input: new PassThrough(), output: new PassThrough() });
 * await connection.close();
 * await connection.ended; // → undefined
 * ```
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { command, roots = {}, audit = createMemorySink() } = options;
  const { stderr = (bytes) => void process.stderr.write(bytes) } = options;
  const template = templateOf(options);
  const map = options.map ?? createPathMap([]);
  // Rules that cannot be used are refused here, and not at the first client.
  compileToolRules(options);
  for (const warning of findUnfilled(template)) stderr(`rootward: ${warning}\n`);
  return {
    connect(client) {
      const connection = new WrappedConnection({
        client,
        template,
        map,
        rules: options,
        audit,
        name: options.name ?? command[0].replace(/^.*[\\/]/, ''),
        openRoots: (ask) => openGatewayRoots(ask, { ...roots, audit }),
        stderr,
      });
      return connection;
    },
  };
}

function templateOf({ command, envRoot = [], chdir = false, cwd, env }: GatewayOptions): LaunchTemplate {
  return { command, envRoot, chdir, cwd: cwd ?? process.cwd(), env: env ?? process.env };
}
