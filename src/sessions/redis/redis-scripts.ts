import { createHash } from 'node:crypto';

/** A program that the engine runs as one step. */
export interface RedisScript {
  readonly name: string;
  readonly lua: string;
  readonly sha: string;
}

export type ScriptName =
  | 'begin'
  | 'touch'
  | 'forget'
  | 'reseal'
  | 'keepAnswer'
  | 'invalidate'
  | 'keepSwitched'
  | 'admit'
  | 'prolong'
  | 'count'
  | 'hold'
  | 'release';

/**
 * A session is one packed value: generation, answered generation, epoch, what initialize said, answer, list,
 * switch. The epoch is that of the data: it changes whenever a replica takes over or the engine starts again,
 * and then the last writes may be lost. A generation from before is worth nothing afterwards, so it jumps by a
 * distance that belongs to the epoch: what was handed out in another one does not meet it again.
 */
const session = `
local function epochNow()
  return string.sub(string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)'), 1, 12)
end
local function save(key, s)
  redis.call('SET', key, cmsgpack.pack({ s[1], s[2], s[3], s[4], s[5], s[6], s[7] }), 'KEEPTTL')
end
local function load(key)
  local packed = redis.call('GET', key)
  if not packed then return nil end
  local s = cmsgpack.unpack(packed)
  local epoch = epochNow()
  if s[3] ~= epoch then
    s[1] = s[1] + 1000000 + tonumber(string.sub(epoch, 1, 9), 16)
    s[3] = epoch
    save(key, s)
  end
  return s
end
`;

const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

const sources: Readonly<Record<ScriptName, string>> = {
  /** KEYS session; ARGV idle, what initialize said. Says whether the id was free. */
  begin: `${session}
local packed = cmsgpack.pack({ 0, -1, epochNow(), ARGV[2], '', '', '' })
return redis.call('SET', KEYS[1], packed, 'NX', 'PX', ARGV[1]) and 1 or 0`,

  /**
   * KEYS session, requests; ARGV idle, how long requests are remembered, arrival, requests. The answer ends with
   * whether its life was prolonged and how many of the requests were seen before. A request is remembered with
   * its time, whose fraction is the arrival: whoever takes one back takes back no other.
   */
  touch: `${session}
local s = load(KEYS[1])
if not s then return false end
local longer = redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) / 2
if longer then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
local seen = 0
if #ARGV > 3 then
  ${clock}
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[2])
  for i = 4, #ARGV do
    if redis.call('ZADD', KEYS[2], 'NX', now + ARGV[3] / 4096, ARGV[i]) == 0 then seen = seen + 1 end
  end
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
end
return { s[1], s[2], s[4], s[5], s[6], s[7], longer and 1 or 0, seen }`,

  /** KEYS requests; ARGV arrival, requests. Those of this arrival may come again. */
  forget: `
for i = 2, #ARGV do
  local score = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[i]) or 0)
  if score > 0 and (score - math.floor(score)) * 4096 == tonumber(ARGV[1]) then
    redis.call('ZREM', KEYS[1], ARGV[i])
  end
end
return 1`,

  /** KEYS session; ARGV texts, each followed by what takes its place if it is still there. */
  reseal: `${session}
local s = load(KEYS[1])
if not s then return 0 end
for i = 1, #ARGV, 2 do
  for field = 4, 7 do
    if s[field] == ARGV[i] then s[field] = ARGV[i + 1] end
  end
end
save(KEYS[1], s)
return 1`,

  /** KEYS session; ARGV generation, answer, list or nothing. Compare and set. */
  keepAnswer: `${session}
local s = load(KEYS[1])
if not s or s[1] ~= tonumber(ARGV[1]) then return 0 end
s[2] = s[1]
s[5] = ARGV[2]
if ARGV[3] ~= '' then s[6] = ARGV[3] end
save(KEYS[1], s)
return 1`,

  /** KEYS session. */
  invalidate: `${session}
local s = load(KEYS[1])
if not s then return false end
s[1] = s[1] + 1
save(KEYS[1], s)
return s[1]`,

  /** KEYS session; ARGV what was switched to, or nothing. */
  keepSwitched: `${session}
local s = load(KEYS[1])
if not s then return 0 end
s[7] = ARGV[1]
save(KEYS[1], s)
return 1`,

  /** KEYS index; ARGV session, idle, most. Says whether there is room. */
  admit: `${clock}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
return 1`,

  /** KEYS index; ARGV session, idle. */
  prolong: `${clock}
return redis.call('ZADD', KEYS[1], 'XX', now + ARGV[2], ARGV[1])`,

  /** KEYS index. */
  count: `${clock}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
return redis.call('ZCARD', KEYS[1])`,

  /** KEYS lease; ARGV holder, life. Takes the lease or prolongs it; 0 if somebody else has it. */
  hold: `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`,

  /** KEYS lease; ARGV holder. */
  release: `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`,
};

/** All of it, by name. */
export const redisScripts: Readonly<Record<ScriptName, RedisScript>> = Object.fromEntries(
  Object.entries(sources).map(([name, lua]) => [
    name,
    { name, lua, sha: createHash('sha1').update(lua).digest('hex') },
  ]),
) as Record<ScriptName, RedisScript>;
