import { createHash } from 'node:crypto';

/** A Lua script, which the engine runs atomically. */
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
  | 'takeGrant'
  | 'admit'
  | 'prolong'
  | 'count'
  | 'hold'
  | 'release';

/**
 * A session is one packed value: generation, answered generation, epoch, `initialize` parameters, answer, list,
 * switch. The epoch identifies the data set. It changes when a replica takes over or the engine restarts, and the
 * last writes may then be lost. A generation of an older epoch must never match again, so the first access in a
 * new epoch adds an offset derived from that epoch.
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
  /** KEYS session; ARGV idle, `initialize` parameters. Returns 1 if the id was free. */
  begin: `${session}
local packed = cmsgpack.pack({ 0, -1, epochNow(), ARGV[2], '', '', '' })
return redis.call('SET', KEYS[1], packed, 'NX', 'PX', ARGV[1]) and 1 or 0`,

  /**
   * KEYS session, requests; ARGV idle, how long requests are remembered, arrival, requests. The last two fields
   * returned: whether the session was prolonged, and how many of the requests were seen before. A request's score
   * is its time; the fraction is the arrival, so that `forget` removes only requests of its own arrival.
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

  /** KEYS requests; ARGV arrival, requests. Forgets the requests of this arrival. */
  forget: `
for i = 2, #ARGV do
  local score = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[i]) or 0)
  if score > 0 and (score - math.floor(score)) * 4096 == tonumber(ARGV[1]) then
    redis.call('ZREM', KEYS[1], ARGV[i])
  end
end
return 1`,

  /** KEYS session; ARGV pairs: a text, and its replacement if the text is still there. */
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

  /** KEYS session; ARGV generation, answer, list or nothing. Compares the generation, then sets. */
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

  /** KEYS session; ARGV the chosen project, or nothing. */
  keepSwitched: `${session}
local s = load(KEYS[1])
if not s then return 0 end
s[7] = ARGV[1]
save(KEYS[1], s)
return 1`,

  /** KEYS grants; ARGV session. Returns the grant to one caller. */
  takeGrant: `
local grant = redis.call('HGET', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[1], ARGV[1])
return grant`,

  /** KEYS index; ARGV session, idle, most. Returns 0 if the index is full. */
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

  /** KEYS lease; ARGV holder, life. Takes or prolongs the lease; returns 0 if another process holds it. */
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

/** Every script by its name. */
export const redisScripts: Readonly<Record<ScriptName, RedisScript>> = Object.fromEntries(
  Object.entries(sources).map(([name, lua]) => [
    name,
    { name, lua, sha: createHash('sha1').update(lua).digest('hex') },
  ]),
) as Record<ScriptName, RedisScript>;
