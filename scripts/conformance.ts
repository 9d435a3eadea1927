/**
 * Runs the official conformance suite on `rootward serve --http`, and on a server with `attach` that has the tools
 * which the scenarios about questions in results call. It needs Node 22, which npm ships, and is no part of the tests: `npm run conformance` for all,
 * `npm run conformance -- input-required-result-multi-round` for one.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { startShippedServer } from './conformance-serve.ts';
import { startConformanceServer } from './conformance-server.ts';
import { install, installNode } from './install.ts';

const revision = '2026-07-28';
const suite = '0.2.0-alpha.12';

/** The scenarios that `rootward serve --http` can be asked, on every revision that they know. */
const shipped: Readonly<Record<string, readonly string[]>> = {
  'server-initialize': ['2025-06-18', '2025-11-25'],
  'server-session-lifecycle': ['2025-03-26', '2025-06-18', '2025-11-25'],
  ping: ['2025-06-18', '2025-11-25'],
  'tools-list': ['2025-06-18', '2025-11-25', revision],
  'resources-list': ['2025-06-18', '2025-11-25', revision],
  'prompts-list': ['2025-06-18', '2025-11-25', revision],
  'sep-2164-resource-not-found': [revision],
  'http-header-validation': [revision],
  'server-sse-multiple-streams': ['2025-11-25', revision],
  'input-required-result-unsupported-methods': [revision],
};

/** The others, with the reason. */
const notApplicable: Readonly<Record<string, string>> = {
  'tools-call-*, prompts-get-*, resources-read-*, resources-templates-read, json-schema-2020-12':
    'they call tools, prompts and resources of a test server by name',
  'elicitation-*, http-custom-header-server-validation, server-sse-polling':
    'they call tools of a test server by name',
  'input-required-result-*': 'they call tools of a test server by name: see the server with attach',
  'logging-set-level, completion-complete, resources-subscribe, resources-unsubscribe':
    'serve does not declare this capability',
  'server-stateless': '4 of 25 checks need a tool of a test server; the other 21 pass',
  caching: 'resources/read carries no hint yet; the other 7 checks pass',
  'dns-rebinding-protection':
    'the proxy that adds the token has a port of its own, which is a foreign origin',
  'sep-2640-*, tasks-*': 'extensions that serve does not have',
};

const scenarios = [
  'basic-list-roots',
  'multiple-input-requests',
  'basic-elicitation',
  'request-state',
  'multi-round',
  'missing-input-response',
  'non-tool-request',
  'result-type',
  'unsupported-methods',
  'tampered-state',
  'capability-check',
  'ignore-extra-params',
  'validate-input',
].map((name) => `input-required-result-${name}`);

interface Outcome {
  readonly scenario: string;
  readonly version: string;
  readonly passed: number;
  readonly failed: number;
  readonly output: string;
}

const node = installNode('22');
const conformance = join(
  install('conformance', `npm:@modelcontextprotocol/conformance@${suite}`),
  'dist',
  'index.js',
);
const asked = process.argv.slice(2);
const isAsked = (scenario: string): boolean => asked.length === 0 || asked.includes(scenario);
const outcomes = [...(await runShipped()), ...(await runAttached())];

console.log(table(outcomes));
for (const [scenario, reason] of Object.entries(notApplicable))
  console.log(`not run: ${scenario}: ${reason}`);
const bad = outcomes.filter(({ passed, failed }) => failed > 0 || passed === 0);
for (const { scenario, version, output } of bad) console.error(`\n${scenario} ${version}\n${output}`);
process.exitCode = bad.length > 0 ? 1 : 0;

async function runShipped(): Promise<readonly Outcome[]> {
  const server = await startShippedServer();
  const done: Outcome[] = [];
  for (const [scenario, versions] of Object.entries(shipped).filter(([name]) => isAsked(name)))
    for (const version of versions) done.push(await runScenario(server.url, scenario, version));
  server.close();
  return done;
}

async function runAttached(): Promise<readonly Outcome[]> {
  const server = await startConformanceServer();
  const done: Outcome[] = [];
  for (const scenario of scenarios.filter(isAsked))
    done.push(await runScenario(server.url, scenario, revision));
  server.close();
  return done;
}

async function runScenario(url: string, scenario: string, version: string): Promise<Outcome> {
  const argv = [conformance, 'server', '--url', url, '--scenario', scenario, '--spec-version', version];
  const { status, output } = await runSuite(argv);
  const [, passed, , failed] = /Passed: (\d+)\/(\d+), (\d+) failed/.exec(output) ?? [];
  // A suite that ends badly without a count has failed, too.
  const failures = Number(failed ?? 0);
  return {
    scenario,
    version,
    passed: Number(passed ?? 0),
    failed: status === 0 ? failures : Math.max(1, failures),
    output,
  };
}

/** Not synchronous: the server that is asked runs in this process. */
async function runSuite(argv: readonly string[]): Promise<{ status: number | null; output: string }> {
  const child = spawn(node, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, output };
}

function table(rows: readonly Outcome[]): string {
  const width = Math.max(...rows.map(({ scenario }) => scenario.length));
  const lines = rows.map(
    ({ scenario, version, passed, failed }) =>
      `${scenario.padEnd(width)}  ${version}  ${passed} passed  ${failed} failed`,
  );
  return [`\nConformance ${suite}`, ...lines].join('\n');
}
