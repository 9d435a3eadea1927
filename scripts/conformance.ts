/**
 * Runs the official conformance suite on `rootward serve --http`, and on a server with `attach` that has the tools
 * which the scenarios about questions in results call. It needs Node 22, which npm ships, and is no part of the
 * tests: `npm run conformance` for all, `npm run conformance -- caching` for one.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startShippedServer } from './conformance-serve.ts';
import { type ConformanceServer, startConformanceServer } from './conformance-server.ts';
import { install, installNode } from './install.ts';

const suite = '0.2.0-alpha.12';

/** Scenarios that `rootward serve --http` cannot be asked, with the reason; `*` stands for any text. */
const notApplicable: Readonly<Record<string, string>> = {
  'tools-call-*': 'calls tools of a test server by name',
  'prompts-get-*': 'gets prompts of a test server by name',
  'resources-read-*': 'reads resources of a test server by URI',
  'resources-templates-read': 'reads a resource of a test server by its template',
  'json-schema-2020-12': 'expects a tool of a test server',
  'elicitation-*': 'calls tools of a test server by name',
  'http-custom-header-server-validation': 'needs a tool whose schema names headers; no tool of serve does',
  'server-sse-polling': 'calls a tool of a test server that ends its own stream',
  'input-required-result-*': 'calls tools of a test server by name: asked of the server with attach',
  'logging-set-level': 'serve does not declare logging',
  'completion-complete': 'serve does not declare completions',
  'resources-subscribe': 'serve does not declare subscriptions to resources',
  'resources-unsubscribe': 'serve does not declare subscriptions to resources',
  'sep-2640-*': 'an extension (skills) that serve does not have',
  'tasks-*': 'an extension (tasks) that serve does not have',
};

/** Scenarios that match a pattern above and can be asked nevertheless. */
const applicable: ReadonlySet<string> = new Set(['input-required-result-unsupported-methods']);

/** Scenarios in which the suite says that it lists roots, and does not answer when it is asked for them. */
const withoutRoots: ReadonlySet<string> = new Set(['caching']);

interface Scenario {
  readonly name: string;
  readonly versions: readonly string[];
}

interface Outcome {
  readonly scenario: string;
  readonly version: string;
  readonly passed: number;
  /** Checks that need a tool of a test server. */
  readonly untestable: readonly string[];
  readonly failures: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

const node = installNode('22');
const conformance = join(
  install('conformance', `npm:@modelcontextprotocol/conformance@${suite}`),
  'dist',
  'index.js',
);
const asked = process.argv.slice(2);
const known = await listScenarios();
const wanted = known.filter(({ name }) => asked.length === 0 || asked.includes(name));
const outcomes = [...(await runShipped()), ...(await runAttached())];

console.log(`\nConformance ${suite}`);
for (const outcome of outcomes) console.log(lineOf(outcome));
for (const [pattern, reason] of Object.entries(notApplicable)) console.log(`not run: ${pattern}: ${reason}`);
const bad = outcomes.filter(({ passed, failures }) => failures.length > 0 || passed === 0);
for (const { scenario, version, failures } of bad)
  console.error(`\n${scenario} ${version}\n${failures.join('\n')}`);
process.exitCode = bad.length > 0 || outcomes.length === 0 ? 1 : 0;

/** Reads the server scenarios and their revisions from the suite, so that a new one is run or needs a reason. */
async function listScenarios(): Promise<readonly Scenario[]> {
  const { output } = await runSuite(['list', '--server']);
  return [...output.matchAll(/^ {2}- (\S+) \[(.+)\]$/gm)].map(([, name = '', versions = '']) => ({
    name,
    versions: versions.split(','),
  }));
}

async function runShipped(): Promise<readonly Outcome[]> {
  const scenarios = wanted.filter(({ name }) => applicable.has(name) || reasonAgainst(name) === undefined);
  const isPlain = ({ name }: Scenario): boolean => !withoutRoots.has(name);
  return [
    ...(await runOn(await startShippedServer(), scenarios.filter(isPlain))),
    ...(await runOn(
      await startShippedServer({ withoutRoots: true }),
      scenarios.filter((one) => !isPlain(one)),
    )),
  ];
}

function reasonAgainst(scenario: string): string | undefined {
  const found = Object.entries(notApplicable).find(([pattern]) =>
    pattern.endsWith('*') ? scenario.startsWith(pattern.slice(0, -1)) : scenario === pattern,
  );
  return found?.[1];
}

async function runAttached(): Promise<readonly Outcome[]> {
  const scenarios = wanted.filter(({ name }) => name.startsWith('input-required-result-'));
  return runOn(await startConformanceServer(), scenarios);
}

async function runOn(server: ConformanceServer, scenarios: readonly Scenario[]): Promise<Outcome[]> {
  const done: Outcome[] = [];
  for (const { name, versions } of scenarios)
    for (const version of versions) done.push(await runScenario(server.url, name, version));
  server.close();
  return done;
}

async function runScenario(url: string, scenario: string, version: string): Promise<Outcome> {
  const place = mkdtempSync(join(tmpdir(), 'rootward-checks-'));
  const argv = ['--url', url, '--scenario', scenario, '--spec-version', version, '--output-dir', place];
  const { status, output } = await runSuite(['server', ...argv]);
  const [results] = readdirSync(place);
  const checks =
    results === undefined
      ? []
      : (JSON.parse(readFileSync(join(place, results, 'checks.json'), 'utf8')) as readonly Check[]);
  rmSync(place, { recursive: true, force: true });
  const failed = checks.filter((check) => check.status === 'FAILURE');
  const untestable = failed.filter(needsTestTool);
  const failures = failed.filter((check) => !needsTestTool(check));
  // A suite that ends badly for another reason than its checks has failed, too.
  const isBroken = status !== 0 && failed.length === 0;
  return {
    scenario,
    version,
    passed: checks.filter((check) => check.status === 'SUCCESS').length,
    untestable: untestable.map(({ id }) => id),
    failures: isBroken ? [output] : failures.map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
  };
}

function needsTestTool({ errorMessage = '' }: Check): boolean {
  return errorMessage.startsWith('Not testable: server does not list the diagnostic tool');
}

/** Not synchronous: the server that is asked runs in this process. */
async function runSuite(argv: readonly string[]): Promise<{ status: number | null; output: string }> {
  const child = spawn(node, [conformance, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, output };
}

function lineOf({ scenario, version, passed, untestable, failures }: Outcome): string {
  const line = `${scenario.padEnd(46)} ${version}  ${passed} passed  ${failures.length} failed`;
  return untestable.length === 0 ? line : `${line}, no test tool for: ${untestable.join(', ')}`;
}
