/**
 * `npm run attack` repeats every attack of the test suite for ten minutes, three times as long as CI does and with
 * another seed in each round. A round that fails ends the run, and the command that repeats it is printed.
 * `npm run attack -- 60s` is shorter; `npm run attack -- 60s SEED` begins with that seed.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';

/** The tests that perform attacks: on the boundary, the served product, the endpoint, the page and the parsers. */
const targets = [
  'test/attack',
  'test/regressions',
  'test/e2e/serve',
  'test/e2e/web/opener',
  'test/e2e/web/large',
  'test/e2e/web/security',
  'test/e2e/roots/store-processes',
  'test/e2e/nodes/endpoints',
  'test/e2e/nodes/nodes',
  'src/boundary/read/gitignore',
  'src/boundary/system/link-rules',
  'src/path',
  'src/policy',
  'src/base/quote',
] as const;
const scale = 3;

const [asked = '10m', first] = process.argv.slice(2);
const duration = parseDuration(asked);
const seeds = first === undefined ? [] : [parseSeed(first)];

async function run(): Promise<boolean> {
  const until = performance.now() + duration;
  let round = 0;
  do {
    const seed = seeds[round] ?? randomInt(2 ** 31);
    round += 1;
    console.log(`attack: round ${round}, seed ${seed}`);
    if (!(await attackWith(seed))) return false;
  } while (performance.now() < until);
  console.log(`attack: held for ${round} ${round === 1 ? 'round' : 'rounds'}`);
  return true;
}

async function attackWith(seed: number): Promise<boolean> {
  const variables = { ATTACK_SEED: String(seed), ATTACK_SCALE: String(scale), SERVERS_APART: '1' };
  const args = ['vitest', 'run', '--reporter=dot', `--testTimeout=${60_000 * scale}`, ...targets];
  const child = spawn('npx', args, { env: { ...process.env, ...variables }, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code === 0) return true;
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  console.error(
    `attack: failed with seed ${seed}; repeat it with\n${settings.join(' ')} npx ${args.join(' ')}`,
  );
  return false;
}

function parseDuration(text: string): number {
  const [, digits, unit = 'm'] = /^(\d+)([sm])?$/.exec(text) ?? [];
  if (digits === undefined) throw new Error(`"${text}" is not a duration; write 60s or 10m`);
  return Number(digits) * (unit === 's' ? 1_000 : 60_000);
}

function parseSeed(text: string): number {
  const seed = Number(text);
  if (!Number.isSafeInteger(seed)) throw new Error(`"${text}" is not a seed; write a whole number`);
  return seed;
}

process.exitCode = (await run()) ? 0 : 1;
