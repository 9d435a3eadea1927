/**
 * `npm run bench` runs every suite, `npm run bench -- path` one of them. Each prints a table and writes
 * bench/results/<suite>.json. Ratios count; times depend on the machine.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { accessSuite } from './access.bench.ts';
import { boundarySuite } from './boundary.bench.ts';
import { clusterSuite } from './cluster.bench.ts';
import { clientSuite } from './client.bench.ts';
import { findSuite } from './find.bench.ts';
import { flatSuite } from './flat.bench.ts';
import { httpSuite } from './http.bench.ts';
import { keptSuite } from './kept.bench.ts';
import { pathSuite } from './path.bench.ts';
import { productSuite } from './product.bench.ts';
import { serverSuite } from './server.bench.ts';
import { serveSuite } from './serve.bench.ts';
import { whereSuite } from './where.bench.ts';
import { isMet, type Measurement, ratioOf, type Suite, type Unit } from './suite.ts';

const suites: readonly Suite[] = [
  pathSuite,
  boundarySuite,
  accessSuite,
  whereSuite,
  findSuite,
  serverSuite,
  clientSuite,
  httpSuite,
  serveSuite,
  productSuite,
  flatSuite,
  keptSuite,
  clusterSuite,
];

const shows: { readonly [Name in Unit]: (count: number) => string } = {
  ns: showTime,
  bytes: (count) => `${(count / 1024).toFixed(0)} KiB`,
  requests: (count) => `${count}`,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length > 0) {
  console.error(`No suite ${unknown.join(', ')}; there are: ${suites.map(({ name }) => name).join(', ')}`);
  process.exitCode = 2;
} else {
  for (const suite of suites) {
    if (asked.length === 0 || asked.includes(suite.name)) await runSuite(suite);
  }
}

async function runSuite(suite: Suite): Promise<void> {
  console.log(`\n${suite.name} (Node ${process.versions.node})`);
  const measurements = await suite.run();
  console.table(measurements.map(toRow));
  save(suite.name, measurements);
}

function toRow(measurement: Measurement): Record<string, string> {
  const { name, against, ours, theirs, target, unit = 'ns' } = measurement;
  return {
    measurement: name,
    ours: shows[unit](ours),
    against,
    theirs: shows[unit](theirs),
    ratio: `${ratioOf(measurement).toFixed(2)}×`,
    target: `${target.kind === 'faster' ? '≥' : '≤'} ${target.factor}×`,
    met: isMet(measurement) ? 'yes' : 'NO',
  };
}

function showTime(nanoseconds: number): string {
  if (nanoseconds < 1e3) return `${nanoseconds.toFixed(0)} ns`;
  return nanoseconds < 1e6 ? `${(nanoseconds / 1e3).toFixed(1)} µs` : `${(nanoseconds / 1e6).toFixed(1)} ms`;
}

function save(name: string, measurements: readonly Measurement[]): void {
  const results = measurements.map((measurement) => ({
    ...measurement,
    ratio: ratioOf(measurement),
    met: isMet(measurement),
  }));
  mkdirSync('bench/results', { recursive: true });
  const report = { suite: name, node: process.versions.node, platform: process.platform, results };
  writeFileSync(`bench/results/${name}.json`, `${JSON.stringify(report, undefined, 2)}\n`);
}
