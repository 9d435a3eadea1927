import type { KnownProfile } from '../sources/profile.ts';

/** Chat applications, which have no project of their own. Facts with their date; behaviour lives in the sources. */
export const chatApplications: readonly KnownProfile[] = [
  {
    id: 'claude-desktop',
    cwd: 'never',
    title: 'Claude Desktop / claude.ai local servers, Cowork',
    asOf: 'live 2026-09-13 (macOS)',
    match: [
      ['exact', 'claude-ai'],
      ['prefix', 'local-agent-mode-'],
    ],
    order: ['argument', 'pinned'],
    quirks: ['cwd-never-project', 'spawned-twice'],
    remedy:
      'put "--project" and the absolute path of the project into the server\'s args in claude_desktop_config.json',
    evidence: ['anthropics/claude-code#41549'],
    install: {
      name: 'Claude Desktop',
      add: '`claude_desktop_config.json`, with `"args": ["-y", "rootward", "serve", "/path/to/project"]`',
      project: 'Has no roots and starts servers in `/`: name the directory.',
    },
  },
  {
    id: 'librechat',
    cwd: 'never',
    title: 'LibreChat',
    asOf: '1.7.46 08c9cc3 2026-08-21',
    match: [['exact', '@librechat/api-client']],
    order: ['argument', 'pinned'],
    quirks: ['no-project-concept'],
    remedy: 'put "--project" and the absolute path of the project into the server\'s args in librechat.yaml',
    evidence: ['source: no roots, cwd of the API process'],
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
    order: ['argument', 'pinned'],
    quirks: ['no-project-concept', 'answers-empty-undeclared'],
    remedy: 'put "--project" and the absolute path of the project into the server\'s arguments',
    evidence: ['source: no roots, cwd of the application'],
  },
  {
    id: 'lm-studio',
    cwd: 'never',
    title: 'LM Studio',
    asOf: '2026-07',
    match: [['prefix', 'lmstudio']],
    order: ['argument', 'pinned'],
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
    order: ['argument', 'pinned'],
    quirks: ['no-project-concept'],
    remedy: 'put "--project" and the absolute path of the project into the server\'s arguments',
    evidence: ['source: no roots; cwd of the application is claimed'],
  },
];
