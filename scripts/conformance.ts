/**
 * Runs the official conformance suite on a server with `attach`: what it knows of roots and of questions in
 * results. It needs Node 22, which npm ships, and is no part of the tests: `npm run conformance` for all,
 * `npm run conformance -- input-required-result-multi-round` for one.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { startConformanceServer } from './conformance-server.ts';
import { install, installNode } from './install.ts';

const revision = '2026-07-28';
const suite = '0.2.0-alpha.12';

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
const server = await startConformanceServer();
const asked = process.argv.slice(2);
const outcomes: Outcome[] = [];
for (const scenario of asked.length > 0 ? asked : scenarios) outcomes.push(await runScenario(scenario));
server.close();

console.log(table(outcomes));
const bad = outcomes.filter(({ passed, failed }) => failed > 0 || passed === 0);
for (const { scenario, output } of bad) console.error(`\n${scenario}\n${output}`);
process.exitCode = bad.length > 0 ? 1 : 0;

async function runScenario(scenario: string): Promise<Outcome> {
  const argv = [
    conformance,
    'server',
    '--url',
    server.url,
    '--scenario',
    scenario,
    '--spec-version',
    revision,
  ];
  const { status, output } = await runSuite(argv);
  const [, passed, , failed] = /Passed: (\d+)\/(\d+), (\d+) failed/.exec(output) ?? [];
  // A suite that ends badly without a count has failed, too.
  const failures = Number(failed ?? 0);
  return {
    scenario,
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
    ({ scenario, passed, failed }) => `${scenario.padEnd(width)}  ${passed} passed  ${failed} failed`,
  );
  return [`\nConformance ${suite}, revision ${revision}`, ...lines].join('\n');
}
