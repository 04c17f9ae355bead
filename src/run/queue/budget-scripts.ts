import { campaignTtlSeconds, endedCampaignTtlSeconds } from './file-store.ts'

/**
 * Lua scripts of a run's budget in Redis. KEYS: budget, held, spent, waiting.
 * - `budget` contains cap:KIND (absent: no cap), base:KIND (spent by recorded attempts) and lost:KIND (reserved by workers
 *   that died).
 * - `held` and `spent` contain the amounts of an attempt as JSON until it is recorded: reserved, and spent.
 * - `waiting` orders the attempts that wait for a reservation.
 *
 * The rest of the budget is the cap minus all of these.
 */
const common = `
local B, H, S, W = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local kinds = { 'tokens', 'usd', 'searchCalls' }
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local function num(field) return tonumber(redis.call('HGET', B, field) or '0') end
local function add(field, amount) redis.call('HSET', B, field, string.format('%.17g', num(field) + amount)) end
local function lose(id, entry)
  for _, kind in ipairs(kinds) do add('lost:' .. kind, entry[kind] or 0) end
  redis.call('HDEL', H, id)
end
local function total(key, kind)
  local sum = 0
  for _, text in ipairs(redis.call('HVALS', key)) do sum = sum + (cjson.decode(text)[kind] or 0) end
  return sum
end
-- Live workers call every few seconds. After a silence, such as an outage of Redis, their calls are awaited first.
local quietMs, hearMs = 10000, 8000
local last = num('last')
if last > 0 and now - last > quietMs and redis.call('HLEN', H) > 0 then redis.call('HSET', B, 'closedUntil', now + hearMs) end
redis.call('HSET', B, 'last', now)
-- A budget without its base belongs to a run that is over, or was lost by Redis.
local ttlSeconds = redis.call('HEXISTS', B, 'base:tokens') == 1 and ${campaignTtlSeconds} or ${endedCampaignTtlSeconds}
for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ttlSeconds) end
local function put(key, id, entry)
  redis.call('HSET', key, id, cjson.encode(entry))
  redis.call('EXPIRE', key, ttlSeconds)
end
local function open() return num('closedUntil') <= now end
`

/** Sets a budget up. ARGV: milliseconds for which it stays closed, then cap, minimum base and minimum lost of each kind; an empty cap means none. */
export const setUpScript = `
local wasThere = redis.call('HEXISTS', KEYS[1], 'base:tokens') == 1
${common}
for at, kind in ipairs(kinds) do
  local cap, base, lost = ARGV[at * 3 - 1], ARGV[at * 3], ARGV[at * 3 + 1]
  if cap == '' then redis.call('HDEL', B, 'cap:' .. kind) else redis.call('HSET', B, 'cap:' .. kind, cap) end
  -- Redis may know more than the run's folder: the spending of attempts that workers gave back or made twice.
  redis.call('HSET', B, 'base:' .. kind, string.format('%.17g', math.max(num('base:' .. kind), tonumber(base))))
  if num('lost:' .. kind) < tonumber(lost) then redis.call('HSET', B, 'lost:' .. kind, lost) end
end
if not wasThere then redis.call('HSET', B, 'closedUntil', now + tonumber(ARGV[1])) end
for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ${campaignTtlSeconds}) end
return 1
`

/** Reserves amounts. ARGV: attempt, token, wanted amount of each kind ('' for all that is left). Returns the reservation as JSON, or nil: call again later. */
export const takeScript = `
${common}
local id, token = ARGV[1], ARGV[2]
local deadMs = 20000
if redis.call('HEXISTS', B, 'base:tokens') == 0 then return nil end
local mine = redis.call('HGET', H, id)
if mine then
  local entry = cjson.decode(mine)
  if entry.token == token then return mine end
  lose(id, entry)
end
if not redis.call('ZSCORE', W, id) then redis.call('ZADD', W, redis.call('HINCRBY', B, 'arrivals', 1), id) end
redis.call('HSET', B, 'seen:' .. id, now)
if not open() then return nil end
local held = redis.call('HGETALL', H)
for at = 1, #held, 2 do
  local entry = cjson.decode(held[at + 1])
  if now - entry.at > deadMs then lose(held[at], entry) end
end
local first = redis.call('ZRANGE', W, 0, 0)[1]
while first ~= id and now - num('seen:' .. first) > quietMs do
  redis.call('ZREM', W, first)
  redis.call('HDEL', B, 'seen:' .. first)
  first = redis.call('ZRANGE', W, 0, 0)[1]
end
if first ~= id then return nil end
local entry, covered = { token = token, at = now }, true
for at, kind in ipairs(kinds) do
  local cap = redis.call('HGET', B, 'cap:' .. kind)
  if cap then
    local left = tonumber(cap) - num('base:' .. kind) - num('lost:' .. kind) - total(H, kind) - total(S, kind)
    local wanted = ARGV[at + 2] == '' and math.huge or tonumber(ARGV[at + 2])
    if left < wanted then covered = false end
    entry[kind] = math.max(0, math.min(left, wanted))
  end
end
if not covered and redis.call('HLEN', H) > 0 then return nil end
put(H, id, entry)
redis.call('ZREM', W, id)
redis.call('HDEL', B, 'seen:' .. id)
return cjson.encode(entry)
`

/** Removes an attempt from those that wait. ARGV: attempt. */
export const leaveScript = `
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('HDEL', KEYS[1], 'seen:' .. ARGV[1])
return 1
`

/** Books what an attempt has spent. Idempotent. ARGV: attempt, token, spent amount of each kind. */
export const settleScript = `
${common}
local id, token = ARGV[1], ARGV[2]
local held = redis.call('HGET', H, id)
if held and cjson.decode(held).token == token then redis.call('HDEL', H, id) end
local before = redis.call('HGET', S, id)
local entry = before and cjson.decode(before) or { tokens = 0, usd = 0, searchCalls = 0 }
if entry.token == token then return 0 end
for at, kind in ipairs(kinds) do entry[kind] = (entry[kind] or 0) + tonumber(ARGV[at + 2]) end
entry.token = token
put(S, id, entry)
return 1
`

/** Renews a reservation, and restores one that Redis has lost. ARGV: attempt, token, the reservation as JSON. */
export const beatScript = `
${common}
local id, token, entry = ARGV[1], ARGV[2], cjson.decode(ARGV[3])
entry.at = now
local held = redis.call('HGET', H, id)
if held then
  if cjson.decode(held).token == token then put(H, id, entry) end
  return 1
end
local settled = redis.call('HGET', S, id)
if settled and cjson.decode(settled).token == token then return 0 end
put(H, id, entry)
return 1
`

/**
 * Moves the spending of a recorded attempt to the base; its remaining reservation is removed. ARGV: attempt.
 */
export const recordScript = `
${common}
local id = ARGV[1]
local spent = redis.call('HGET', S, id)
if spent then
  local entry = cjson.decode(spent)
  for _, kind in ipairs(kinds) do add('base:' .. kind, entry[kind] or 0) end
  redis.call('HDEL', S, id)
end
local held = redis.call('HGET', H, id)
if held then lose(id, cjson.decode(held)) end
return 1
`
