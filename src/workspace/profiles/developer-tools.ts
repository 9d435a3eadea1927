import type { KnownProfile } from '../sources/profile.ts';

/** Inspectors, command lines, SDKs and proxies. Facts with their date; behaviour lives in the sources. */
export const developerTools: readonly KnownProfile[] = [
  {
    id: 'mcp-inspector',
    title: 'MCP Inspector (web, CLI, TUI)',
    asOf: '2.3.0 86d5f58 2026-08-19; live cli 2.6.0',
    match: [
      ['exact', 'mcp-inspector'],
      ['exact', 'inspector-cli'],
      ['exact', 'inspector-tui'],
    ],
    order: ['roots', 'walk-up'],
    quirks: ['declared-but-empty'],
    remedy: 'add the directory under Roots in the settings of the server',
    evidence: ['modelcontextprotocol/inspector#1797'],
  },
  {
    id: 'python-sdk-default',
    title:
      'Clients built on the Python SDK with defaults (mistral-vibe, kimi-cli via fastmcp, sparfenyuk/mcp-proxy, ...)',
    asOf: '2026-07..08',
    match: [['exact', 'mcp']],
    order: ['roots', 'walk-up'],
    quirks: ['generic-name'],
    remedy: 'give the client a roots callback, or start the server in the project',
    evidence: ['source: roots only with list_roots_callback, else -32600'],
  },
  {
    id: 'mcp-cli-tools',
    title: 'mcp-cli, mcptools or mcp-hub (wong2/mcp-cli, f/mcptools, ravitemer/mcp-hub)',
    asOf: '2025-07..2026-06',
    match: [
      ['exact', 'mcp-cli'],
      ['exact', 'mcptools'],
      ['exact', 'mcp-hub'],
    ],
    order: ['walk-up'],
    remedy: 'start the tool in the project, or put "--project" and the absolute path into the server\'s args',
    evidence: ['source: no roots, cwd of the process'],
  },
  {
    id: 'proxies',
    cwd: 'never',
    title: 'Proxies that sit between client and server',
    asOf: '2026-08',
    match: [
      ['exact', 'supergateway'],
      ['exact', 'mcp-proxy'],
      ['exact', 'docker-mcp-gateway'],
      ['exact', 'docker'],
    ],
    order: ['argument', 'pinned', 'roots'],
    quirks: ['name-suffix', 'declared-but-hangs'],
    remedy:
      'put "--project" and the absolute path of the project into the args of the server behind the proxy',
    evidence: ['mcp-router/mcp-router#210', 'btsouth/toolport#239'],
  },
];
