import type { Profile } from '../profile.ts';

/** Chat applications, tools, and what sits between client and server. Facts with their date; behaviour lives in the sources. */
export const others: readonly Profile[] = [
  {
    id: 'claude-desktop',
    cwd: 'never',
    title: 'Claude Desktop / claude.ai local servers, Cowork',
    asOf: 'live 2026-09-13 (macOS)',
    match: [
      ['exact', 'claude-ai'],
      ['prefix', 'local-agent-mode-'],
    ],
    quirks: ['cwd-never-project', 'spawned-twice'],
    remedy:
      'put "--project" and the absolute path of the project into the server\'s args in claude_desktop_config.json',
    evidence: ['anthropics/claude-code#41549'],
  },
  {
    id: 'librechat',
    cwd: 'never',
    title: 'LibreChat',
    asOf: '1.7.46 08c9cc3 2026-08-21',
    match: [['exact', '@librechat/api-client']],
    quirks: ['no-project-concept'],
    remedy: 'put "--project" and the absolute path of the project into the server\'s args in librechat.yaml',
  },
  {
    id: 'jan',
    cwd: 'never',
    title: 'Jan',
    asOf: 'fad3f12 2026-08-05, rmcp 0.8.5',
    match: [
      ['exact', 'rmcp'],
      ['exact', 'Jan Streamable Client'],
      ['exact', 'Jan SSE Client'],
    ],
    quirks: ['no-project-concept', 'answers-empty-undeclared'],
    remedy: 'put "--project" and the absolute path of the project into the server\'s arguments',
  },
  {
    id: 'lm-studio',
    cwd: 'never',
    title: 'LM Studio',
    asOf: '2026-07',
    match: [['prefix', 'lmstudio']],
    quirks: ['no-project-concept'],
    remedy: 'put "--project" and the absolute path of the project into the server\'s args in mcp.json',
    evidence: ['lmstudio-ai/lms#605'],
  },
  {
    id: 'cherry-studio',
    cwd: 'never',
    title: 'Cherry Studio',
    asOf: '09c753f 2026-08-22',
    match: [
      ['exact', 'Cherry Studio'],
      ['prefix', 'cherry-'],
    ],
    quirks: ['no-project-concept'],
    remedy: 'put "--project" and the absolute path of the project into the server\'s arguments',
  },
  {
    id: 'mcp-inspector',
    title: 'MCP Inspector (web, CLI, TUI)',
    asOf: '2.3.0 86d5f58 2026-08-19; live cli 2.6.0',
    match: [
      ['exact', 'mcp-inspector'],
      ['exact', 'inspector-cli'],
      ['exact', 'inspector-tui'],
    ],
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
    quirks: ['generic-name'],
    remedy: 'give the client a roots callback, or start the server in the project',
  },
  {
    id: 'mcp-cli-tools',
    title: 'wong2/mcp-cli (mcp-cli), f/mcptools (mcptools), ravitemer/mcp-hub (mcp-hub)',
    asOf: '2025-07..2026-06',
    match: [
      ['exact', 'mcp-cli'],
      ['exact', 'mcptools'],
      ['exact', 'mcp-hub'],
    ],
    remedy: 'start the tool in the project, or put "--project" into the server\'s args',
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
    quirks: ['name-suffix', 'declared-but-hangs'],
    remedy:
      'put "--project" and the absolute path of the project into the args of the server behind the proxy',
    evidence: ['mcp-router/mcp-router#210', 'btsouth/toolport#239'],
  },
];
