import type { Case, Expected } from './case.ts'
import type { Fault, Reaction } from './fault.ts'
import { CLOCK, type Run, runAgainst } from './run.ts'

const group = 'The endpoint misbehaves, the application lives on'

/** An application that makes LLM spans for some seconds, and then waits for its end. */
function lives(settleMs: number, spans = 1_000, perSecond = 500): Run {
  return { plan: { make: { spans, perSecond, size: 'llm' }, end: 'when told' }, settleMs }
}

function endpoint(name: string, fault: Fault, run: Run = lives(20_000), more: Partial<Case> = {}): Case {
  return { group, name, expected: {}, run: (variant) => runAgainst(variant, fault, run), ...more }
}

/** The first `times` requests get a reaction. */
const first = (times: number, reaction: Reaction): Fault => ({ when: { first: times }, reaction })
const slow = { isSlow: true } as const
const losing = (lost: number, more: Expected = {}): Pick<Case, 'expected'> => ({ expected: { lost, ...more } })
const DUPLICATES: Pick<Case, 'expected'> = { expected: { mayDuplicate: true } }

const ONCE = [400, 408, 413, 500, 502, 504].map((status) => endpoint(`one ${status}`, first(1, { status })))
// Whoever refuses is asked again after a minute.
const REFUSED_ONCE = [401, 404, 307].map((status) =>
  endpoint(`one ${status}`, first(1, { status }), lives(90_000), slow),
)
const UNAVAILABLE = [3, 8, 20].flatMap((times) =>
  [0, 1, 30].map((seconds) => {
    const headers = { 'retry-after': String(seconds) }
    const fault = first(times, { status: 503, headers })
    const isFast = times === 3 && seconds < 30
    return endpoint(`503 × ${times}, Retry-After ${seconds}`, fault, lives(times * 36_000 + 30_000), {
      isSlow: !isFast,
    })
  }),
)
const AWAY = [2, 10, 20, 40].map((seconds) =>
  endpoint(`nothing listens for ${seconds} s`, { downFor: seconds * 1_000 }, lives(90_000, 500 * seconds + 1_000), {
    isSlow: seconds > 2,
  }),
)
const JUMPS = [1, -1].map((hours) =>
  endpoint(
    `the clock jumps by ${hours} h`,
    first(3, { status: 503 }),
    {
      ...lives(30_000, 3_000),
      flags: CLOCK,
      env: { CLOCK_JUMP: String(hours * 3_600_000) },
    },
    slow,
  ),
)

export const ENDPOINT_CASES: readonly Case[] = [
  endpoint('nothing is wrong', {}),
  ...AWAY,
  ...UNAVAILABLE,
  endpoint('429 × 3, Retry-After 2', first(3, { status: 429, headers: { 'retry-after': '2' } }), lives(30_000), slow),
  endpoint('429 for 10 s', { when: { withinMs: 10_000 }, reaction: { status: 429 } }, lives(60_000, 6_000), slow),
  endpoint(
    'Retry-After as a date of a clock that is an hour ahead',
    first(1, { status: 503, retryAt: { ms: 2_000, clockMs: 3_600_000 } }),
    lives(30_000),
  ),
  ...ONCE,
  ...REFUSED_ONCE,
  endpoint(
    'one span in 1,000 is refused with 400',
    { when: { having: 's777' }, reaction: { status: 400, body: '{"error":"bad span"}' } },
    lives(20_000),
    losing(1),
  ),
  endpoint(
    'requests of more than 1 MB on the wire are refused',
    { when: { wireAbove: 1_048_576 }, reaction: { status: 413 } },
    { plan: { make: { spans: 2_000, perSecond: 1_000, size: 'random' }, end: 'when told' }, settleMs: 20_000 },
  ),
  endpoint(
    'requests of more than 500 KB uncompressed are refused',
    { when: { rawAbove: 500_000 }, reaction: { status: 413 } },
    { plan: { make: { spans: 2_000, perSecond: 1_000, size: 'random' }, end: 'when told' }, settleMs: 20_000 },
  ),
  endpoint('compressed requests are refused (415)', { when: { compressed: true }, reaction: { status: 415 } }),
  endpoint(
    'every answer takes 3 s, at 1,000 spans/s',
    { reaction: { afterMs: 3_000 } },
    lives(60_000, 20_000, 1_000),
    slow,
  ),
  endpoint('two requests get no answer', first(2, { answer: 'none' }), lives(90_000), slow),
  endpoint('two answers never end', first(2, { answer: 'drip', takes: false }), lives(90_000), slow),
  endpoint('two connections are reset amid the request', { resets: 2 }),
  endpoint(
    'two connections are reset after the request was taken',
    first(2, { answer: 'reset', takes: true }),
    lives(20_000),
    DUPLICATES,
  ),
  endpoint('two answers break off', first(2, { answer: 'truncated', takes: true }), lives(20_000), DUPLICATES),
  endpoint(
    'two answers are pages of a captive portal (200)',
    first(2, { body: '<html>Sign in</html>', headers: { 'content-type': 'text/html' }, takes: false }),
  ),
  endpoint('two answers are garbage (200)', first(2, { body: '\u0000\u0001', takes: false })),
  endpoint(
    'three spans are rejected by a partial success',
    first(1, {
      rejects: ['s1', 's2', 's3'],
      body: '{"partialSuccess":{"rejectedSpans":"3","errorMessage":"too long"}}',
    }),
    lives(20_000),
    losing(3, { output: /rejected spans: too long\./ }),
  ),
  ...JUMPS,
  endpoint('100,000 small spans in one tick', {}, burst('small')),
  endpoint('100,000 small spans in a second', {}, burst('small', 100_000)),
  endpoint('100,000 LLM spans in one tick', {}, burst('llm'), slow),
  endpoint('100,000 LLM spans in some seconds', {}, burst('llm', 100_000), slow),
  endpoint(
    'three spans of 10 MB',
    {},
    { plan: { make: { spans: 3, size: 'huge' }, end: 'when told' }, settleMs: 20_000 },
  ),
]

function burst(size: 'small' | 'llm', perSecond?: number): Run {
  return {
    plan: { make: { spans: 100_000, size, ...(perSecond && { perSecond }) }, end: 'when told' },
    settleMs: 60_000,
  }
}
