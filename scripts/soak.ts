/**
 * `npm run soak` runs nodes, a balancer and Redis for ten minutes, kills, stops and replaces them at random, and
 * checks every answer with a model that knows which ones are allowed: nothing lost, nothing stale, nothing
 * leaked, nothing done twice, no error without a disturbance, no call that hangs. `npm run soak -- 60s` is
 * shorter, `npm run soak -- 10m SEED` repeats the order of what is done.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Cluster, openCluster } from '../test/support/redis/open-cluster.ts';
import { Disturbances, Effects, RootsModel } from '../test/support/redis/soak-model.ts';
import { type ClientKind, connectClient, type TestClient } from '../test/support/http/clients.ts';
import { disturbances } from './soak-disturbances.ts';

/** Bounds that hold on a busy machine, in milliseconds. */
const bounds = { call: 15_000, calmCall: 8_000 } as const;
/** Of each client, on average, at least. */
const answersPerSecond = 0.2;

const [asked = '10m', seed = `${Date.now() % 1e6}`] = process.argv.slice(2);
const duration = parseDuration(asked);
const begun = performance.now();
const until = begun + duration;
const counts = new Map<string, number>();
const violations: string[] = [];
const broken = new Disturbances();

interface Person {
  readonly own: string;
  readonly client: TestClient;
  readonly model: RootsModel;
  readonly effects: Effects;
  readonly random: () => number;
}

async function run(): Promise<void> {
  const redis = ['--appendonly', 'yes', '--appendfsync', 'always'];
  const args = ['--allow', 'execute,remove', '--allow-unconfined-shell'];
  const program = fileURLToPath(new URL('../src/cli/main.js', import.meta.url));
  await using cluster = await openCluster({ nodes: 3, program, redis, args });
  const kinds: readonly ClientKind[] = ['v2 in 2025', 'v1', 'v2 in 2025', 'v1'];
  const people = kinds.map((kind, index) => usePerson(cluster, kind, `c${index}`));
  await Promise.all([...people, disturb(cluster), watchMachine(), reportNowAndThen()]);
}

/** One person: two who call at the same time, and one who changes the roots meanwhile. */
async function usePerson(cluster: Cluster, kind: ClientKind, own: string): Promise<void> {
  const places = ['red', 'green', 'blue'].map((colour) => `${own}-${colour}`);
  for (const place of places) mkdirSync(cluster.tree.at(place), { recursive: true });
  const state = { now: `${own}-red` };
  const roots = () => [cluster.root(state.now)];
  await using client = await connectClient(kind, { url: cluster.balancer.url, roots });
  const [model, effects] = [new RootsModel(state.now), new Effects()];
  const actor = (name: string): Person => ({
    own,
    client,
    model,
    effects,
    random: createRandom(`${seed} ${own} ${name}`),
  });
  const list = (name: string): void => void (state.now = name);
  // Before the first answer the operator's directories hold; from then on nothing but what the client lists.
  await client.call('list_allowed_directories');
  await Promise.all([
    callAgain(actor('first')),
    callAgain(actor('second')),
    writeAgain(actor('writer')),
    changeAgain(actor('changer'), places, list),
  ]);
  violations.push(...effects.faults(places.flatMap((place) => written(cluster, place))));
}

async function callAgain(person: Person): Promise<void> {
  const { client, own, model, random } = person;
  while (performance.now() < until) {
    await timed(person, async (since) => {
      const text = await client.call('list_allowed_directories');
      count('answered');
      count(`answered ${own}`);
      judge(own, text, model.allowed(since, performance.now()));
    });
    await setTimeout(random() * 20);
  }
}

function judge(own: string, text: string, allowed: ReadonlySet<string>): void {
  const named = [...text.matchAll(/\/(c\d+-\w+)$/gm)].map(([, name]) => name ?? '');
  const leaked = named.filter((name) => !name.startsWith(`${own}-`));
  if (leaked.length > 0) violate(`${own} was told of ${leaked.join()}`);
  else if (named.length !== 1 || !allowed.has(named[0] ?? ''))
    violate(`${own} was told ${JSON.stringify(text)} instead of ${[...allowed].join(' or ')}`);
}

/** What is done leaves a line, which is counted in the end. */
async function writeAgain(person: Person): Promise<void> {
  const { client, own, effects, random } = person;
  for (let number = 0; performance.now() < until; number += 1) {
    const name = `${own}-${number}`;
    const done = effects.ask(name);
    await timed(person, async () => {
      await client.call('shell', { command: `echo ${name} >> done.txt` });
      count('written');
      done();
    });
    await setTimeout(500 + random() * 1_000);
  }
}

function written({ tree }: Cluster, place: string): readonly string[] {
  try {
    return readFileSync(tree.at(place, 'done.txt'), 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}

async function changeAgain(
  person: Person,
  places: readonly string[],
  list: (name: string) => void,
): Promise<void> {
  const { client, model, random } = person;
  while (performance.now() < until) {
    const name = places[Math.floor(random() * places.length)] ?? '';
    await timed(person, async (since) => {
      const accepted = model.change(name, since);
      list(name);
      await client.rootsChanged();
      accepted(performance.now());
      count('changed');
    });
    await setTimeout(random() * 1_500);
  }
}

/** Errors that a client may see while things break. */
const permitted = [
  /not completed|completed is not known|nobody knows|node.*gone/i,
  /sessions cannot be reached/,
  /fetch failed|terminated|502|socket|connection/i,
  /shutting down/,
  /no answer within|the call ended|did not answer|kept changing/i,
];

/** Runs one request of a client, and judges how long it took and how it failed. */
async function timed({ own }: Person, act: (since: number) => Promise<void>): Promise<void> {
  const since = performance.now();
  const error = await act(since).then(
    () => undefined,
    (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown))),
  );
  const now = performance.now();
  const calm = !broken.meet(since, now);
  if (now - since > (calm ? bounds.calmCall : bounds.call))
    violate(`${own} waited ${Math.round(now - since)} ms${calm ? ' while nothing was broken' : ''}`);
  if (error === undefined) return;
  const known = permitted.find((pattern) => pattern.test(error.message));
  count(`error ${String(known ?? 'of another kind')}${calm ? ' while nothing was broken' : ''}`);
  if (known === undefined || calm)
    violate(`${own} met${calm ? ' while nothing was broken' : ''}: ${error.message.slice(0, 300)}`);
  await setTimeout(50);
}

/** A machine that stands still for a moment is a disturbance too: its 250 ms do not count then. */
async function watchMachine(): Promise<void> {
  while (performance.now() < until) {
    const before = performance.now();
    await setTimeout(50);
    const now = performance.now();
    if (now - before < 200) continue;
    broken.begin(before)(now);
    count('the machine stood still');
  }
}

/** Something else happens every now and then, with time to recover in between. */
async function disturb(cluster: Cluster): Promise<void> {
  const random = createRandom(`${seed} disturbances`);
  const pause = () => setTimeout(Math.min(4_000 + random() * 4_000, Math.max(0, until - performance.now())));
  await pause();
  while (performance.now() < until - 4_000) {
    const next = disturbances[Math.floor(random() * disturbances.length)] ?? disturbances[0];
    count(`did: ${next.name}`);
    const end = next.breaks ? broken.begin(performance.now()) : undefined;
    await next.run(cluster, random);
    end?.(performance.now());
    await pause();
  }
}

async function reportNowAndThen(): Promise<void> {
  for (let next = begun + 10_000; next < until; next += 10_000) {
    await setTimeout(next - performance.now());
    const errors = [...counts].filter(([what]) => what.startsWith('error')).map(([, times]) => times);
    const done = [...counts].filter(([what]) => what.startsWith('did:')).map(([, times]) => times);
    const parts = [
      `${Math.round((performance.now() - begun) / 1_000)} s`,
      `${counts.get('answered') ?? 0} answers`,
      `${counts.get('changed') ?? 0} changes`,
      `${sum(done)} disturbances`,
      `${sum(errors)} errors`,
      `${violations.length} violations`,
    ];
    console.log(`soak: ${parts.join(', ')}`);
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function count(what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function violate(what: string): void {
  violations.push(`${Math.round(performance.now() - begun)} ms: ${what}`);
}

/** `90s`, `10m` or minutes alone. */
function parseDuration(text: string): number {
  const [, digits, unit = 'm'] = /^(\d+)([sm])?$/.exec(text) ?? [];
  if (digits === undefined) throw new Error(`"${text}" is no duration; write 60s or 10m`);
  return Number(digits) * (unit === 's' ? 1_000 : 60_000);
}

/** The same numbers for the same words; each actor has its own. */
function createRandom(words: string): () => number {
  let state = createHash('sha256').update(words).digest().readUInt32BE();
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

// Last, because it needs all of the above.
console.log(`soak: ${duration / 1_000} s, seed ${seed}`);
await run();
for (const own of ['c0', 'c1', 'c2', 'c3']) {
  const answers = counts.get(`answered ${own}`) ?? 0;
  if (answers < (duration / 1_000) * answersPerSecond) violations.push(`${own} had ${answers} answers only`);
}
if (![...counts.keys()].some((what) => what.startsWith('did:'))) violations.push('nothing was disturbed');
console.table(Object.fromEntries([...counts].toSorted(([one], [other]) => one.localeCompare(other))));
for (const violation of violations.slice(0, 20)) console.error(`VIOLATION ${violation}`);
const good = 'soak: nothing lost, nothing stale, nothing leaked, nothing twice, nothing hung';
console.log(violations.length === 0 ? good : `soak: FAILED with ${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
