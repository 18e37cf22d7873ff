import { CallCoalescer } from '../../../infra/redis/call-coalescer';
import type { SharedRedis } from '../../../infra/redis/shared-redis';
import type { Clock } from '../../../kernel/clock';
import type { Reservation, PaceRequest } from '../domain/outgoing-message';
import {
  BURST_MS,
  CLIMB_PER_SECOND,
  CUT,
  CUT_SERIES_MS,
  FIRST_CUT,
  FIRST_CUTS,
  FLOOR_PER_SECOND,
  JOB_SHARE,
  SINGLE_PRIORITY_MS,
  RateLimiter,
} from '../domain/rate-limiter.port';
import type { InProcessRateLimiter } from './in-process-rate-limiter';

/** Tolerance for clock corrections: a stored time later than this was written before the clock was set back. */
const CLOCK_STEP_MS = 1000;

/** Reads the current pace, with cuts and recovery applied. `now` and all times are milliseconds of Redis's clock. */
const PRESENT_PACE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local nominal = tonumber(ARGV[1])
local state = redis.call('HMGET', KEYS[1], 'next', 'current', 'at', 'cut', 'single', 'cuts')
local current = tonumber(state[2]) or nominal
local at = tonumber(state[3]) or now
-- The clock was set back: these times are meaningless.
if at > now + ${CLOCK_STEP_MS} then
  redis.call('HDEL', KEYS[1], 'next', 'cut', 'single')
  state = { false, state[2], false, false, false }
end
current = math.min(nominal, current + math.max(0, now - at) / 1000 * ${CLIMB_PER_SECOND} * nominal)
local function keep(...)
  redis.call('HSET', KEYS[1], 'current', string.format('%.6f', current), 'at', string.format('%.3f', now), ...)
end`;

/**
 * ARGV: nominal pace, messages, 1 for a single send, longest wait in ms or -1, 1 to apply that limit to each message
 * instead of only the first. Returns the wait of the first (negative while part of the burst is free), the interval,
 * and the number reserved.
 */
const RESERVE = `${PRESENT_PACE}
local count, isSingle, longest, each = tonumber(ARGV[2]), ARGV[3] == '1', tonumber(ARGV[4]), ARGV[5] == '1'
local single = isSingle and now or tonumber(state[5])
local share = 1
if not isSingle and single and now - single < ${SINGLE_PRIORITY_MS} then share = ${JOB_SHARE} end
local interval = 1000 / (current * share)
local burst = math.max(0, ${BURST_MS} - interval)
-- A new lane starts without a burst, so that it does not exceed its pace.
local start = math.max(tonumber(state[1]) or (now + ${BURST_MS}), now)
local wait = start - burst - now
if longest >= 0 then
  if each then count = math.max(0, math.min(count, math.floor((longest - wait) / interval) + 1))
  elseif wait > longest then count = 0 end
end
local next = start + count * interval
keep('next', string.format('%.3f', next), 'single', string.format('%.3f', single or 0))
redis.call('PEXPIRE', KEYS[1], math.ceil(next - now) + 60000)
return { string.format('%.3f', wait), string.format('%.6f', interval), count }`;

/** ARGV: nominal pace, age of the throttled request in ms. */
const CUT_PACE = `${PRESENT_PACE}
local last = tonumber(state[4])
if not last or now - tonumber(ARGV[2]) > last then
  local cuts = last and now - last < ${CUT_SERIES_MS} and (tonumber(state[6]) or 1) + 1 or 1
  current = math.max(${FLOOR_PER_SECOND}, current * (cuts > ${FIRST_CUTS} and ${CUT} or ${FIRST_CUT}))
  keep('cut', string.format('%.3f', now), 'cuts', cuts)
  redis.call('PEXPIRE', KEYS[1], 120000)
end
return 1`;

/** ARGV: nominal pace. */
const CURRENT_PACE = `${PRESENT_PACE}
return string.format('%.6f', current)`;

const PREFIX = 'mta:pace:';

/**
 * Limits each sender's pace across all processes, on Redis's clock. While Redis is unavailable, only the owner of the
 * sender's lane sends, at the same pace, limited in memory.
 */
export class RedisRateLimiter extends RateLimiter {
  private readonly singles: CallCoalescer<PaceRequest, Reservation | null>;

  constructor(
    private readonly redis: SharedRedis,
    private readonly ownLanes: InProcessRateLimiter,
    clock: Clock,
    private readonly prefix = PREFIX,
  ) {
    super();
    this.singles = new CallCoalescer((request, count) => this.reserveEach(request, count), clock);
  }

  async reserve(request: PaceRequest): Promise<Reservation | null> {
    const { senderId, perSecond, count, use, maxWaitMs } = request;
    if (use === 'single' && count === 1) return this.singles.call(`${senderId} ${perSecond} ${maxWaitMs}`, request);
    const answer = await this.reserveInRedis(request, count, 0);
    if (!answer) return this.ownLanes.reserve(request);
    const [waitMs, intervalMs, reserved] = answer;
    return reserved === 0 ? null : { waitMs: Math.max(0, waitMs), intervalMs };
  }

  /** Reserves several single sends in one call, with the same waits as separate calls. */
  private async reserveEach(request: PaceRequest, count: number): Promise<(Reservation | null)[]> {
    const answer = await this.reserveInRedis(request, count, 1);
    if (!answer) return Promise.all(Array.from({ length: count }, () => this.ownLanes.reserve(request)));
    const [waitMs, intervalMs, reserved] = answer;
    return Array.from({ length: count }, (_, index) =>
      index < reserved ? { waitMs: Math.max(0, waitMs + index * intervalMs), intervalMs } : null,
    );
  }

  private async reserveInRedis(
    request: PaceRequest,
    count: number,
    each: 0 | 1,
  ): Promise<[number, number, number] | null> {
    const { senderId, perSecond, use, maxWaitMs = -1 } = request;
    const values = [perSecond, count, use === 'single' ? 1 : 0, maxWaitMs, each];
    const answer = await this.redis.run<[string, string, number]>(RESERVE, this.prefix + senderId, ...values);
    return answer && [Number(answer[0]), Number(answer[1]), answer[2]];
  }

  async cut(senderId: string, perSecond: number, ageMs: number): Promise<void> {
    // Both, so that the pace stays cut if Redis fails now.
    await this.ownLanes.cut(senderId, perSecond, ageMs);
    await this.redis.run(CUT_PACE, this.prefix + senderId, perSecond, ageMs);
  }

  async current(senderId: string, perSecond: number): Promise<number> {
    const answer = await this.redis.run<string>(CURRENT_PACE, this.prefix + senderId, perSecond);
    return answer ? Number(answer) : this.ownLanes.current(senderId, perSecond);
  }

  laneAcquired(senderId: string): void {
    this.ownLanes.laneAcquired(senderId);
  }

  laneReleased(senderId: string): void {
    this.ownLanes.laneReleased(senderId);
  }
}
