import { SvcClient, type SvcClientOptions } from '@svc/client'
import { environmentOf } from '@svc/core/environment'
import { configureGlobalLogger, LogLevel, resetGlobalLogger } from '@svc/core/log'
import { type LocalService, startLocal } from '@svc/local'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'

const soon = { 'retry-after': '0.001' }

/** What the service does with the next requests. */
const ANSWERS = {
  'tries again with 429': { status: 429, headers: soon, body: {}, times: 1 },
  'gives up after 503': { status: 503, headers: soon, body: {}, times: 3 },
  'refuses with 400': { status: 400, body: { message: 'no' }, times: 1 },
  'hangs up': { drop: true, times: 1 },
  'hangs up twice': { drop: true, times: 2 },
  'says what is no JSON': { status: 200, body: 'fine', times: 1 },
  rejects: { status: 207, body: { accepted: 0, rejected: 1, errors: [{ message: 'x: no' }] }, times: 1 },
  'rejects in words nobody knows': { status: 207, body: '<p>', times: 1 },
} as const

const many = fc.record({
  do: fc.constant('create' as const),
  count: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(120)),
})
const fault = fc.record({
  do: fc.constant('service' as const),
  answer: fc.constantFrom(...(Object.keys(ANSWERS) as (keyof typeof ANSWERS)[])),
})
const other = fc.record({
  do: fc.constantFrom(
    'flush' as const,
    'flush and wait' as const,
    'shutdown' as const,
    'wait' as const,
    'nonsense' as const,
  ),
})
const steps = fc.array(fc.oneof(many, fault, other), { minLength: 1, maxLength: 16 })
type Step = typeof steps extends fc.Arbitrary<(infer Each)[]> ? Each : never

let local: LocalService
let printed: string[]
beforeAll(async () => {
  local = await startLocal()
  configureGlobalLogger({ level: LogLevel.ERROR, prefix: 'svc:', enableTimestamp: false })
})
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation((line) => void printed.push(line))
})
afterAll(() => {
  vi.restoreAllMocks()
  resetGlobalLogger()
  return local.close()
})

let run = 0

it('in any order of create, flush, shutdown and failures every valid score is accepted once, or reported as lost', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 20 }), async (program, flushAt) => {
      printed = []
      run += 1
      const { created, nonsense } = await play(program, new SvcClient(options(flushAt)).score)
      expect(account(created)).toEqual({ twice: [], unknown: [], unsaid: 0 })
      expect(printed.filter((line) => line.includes('is dropped'))).toHaveLength(nonsense)
      const rejecting = requests().filter(({ status }) => status === 207)
      expect(printed.filter((line) => line.includes('Svc rejected'))).toHaveLength(rejecting.length)
    }),
    { numRuns: 40 },
  )
}, 600_000)

it('on an edge runtime every valid score is accepted at least once, or reported as lost', async () => {
  vi.stubEnv('NEXT_RUNTIME', 'edge')
  vi.resetModules()
  const { createScoreManager } = await import('@svc/client/score')
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 20 }), async (program, flushAt) => {
      printed = []
      run += 1
      const { created, nonsense } = await play(program, createScoreManager(options(flushAt)))
      const { unknown, unsaid } = account(created)
      expect({ unknown, isAnyUnsaid: unsaid > 0 }).toEqual({ unknown: [], isAnyUnsaid: false })
      expect(printed.filter((line) => line.includes('is dropped'))).toHaveLength(nonsense)
    }),
    { numRuns: 40 },
  )
}, 600_000)

const options = (flushAt: number): SvcClientOptions => ({
  env: environmentOf(local.env),
  flushAt,
  flushInterval: 0.002,
  additionalHeaders: { 'x-run': String(run) },
})

/** Runs a program to its end: all is sent or lost. */
async function play(program: readonly Step[], score: SvcClient['score']) {
  const created: string[] = []
  const plans = []
  let nonsense = 0
  for (const step of program) {
    if (step.do === 'create') {
      for (let n = 0; n < step.count; n++) {
        const id = `${run}-${created.length}`
        created.push(id)
        score.create({ id, name: 'n', value: n, traceId: '0123456789abcdef0123456789abcdef' })
      }
    }
    if (step.do === 'nonsense') {
      nonsense += 1
      score.create({ name: '', value: 1 })
    }
    if (step.do === 'service') plans.push(local.respond('POST /api/public/scores', ANSWERS[step.answer]))
    if (step.do === 'flush') void score.flush()
    if (step.do === 'flush and wait') await score.flush()
    if (step.do === 'shutdown') await score.shutdown()
    if (step.do === 'wait') await new Promise((resolve) => setImmediate(resolve))
  }
  await score.shutdown()
  for (const plan of plans) plan.stop()
  return { created, nonsense }
}

const requests = () => local.calls().filter(({ headers }) => headers['x-run'] === String(run))

/** Compares what was created with what the service accepted and what was reported as lost. */
function account(created: readonly string[]) {
  const taken = requests()
    .filter(({ status }) => status === 202 || status === 207)
    .flatMap(({ body }) => (body as { id: string }[]).map(({ id }) => id))
  const known = new Set(taken)
  const lost = printed
    .flatMap((line) => [...line.matchAll(/(\d+) scores? (?:is|are) lost/g)])
    .reduce((sum, [, count]) => sum + Number(count), 0)
  return {
    twice: taken.filter((id, at) => taken.indexOf(id) !== at),
    unknown: taken.filter((id) => !created.includes(id)),
    unsaid: created.filter((id) => !known.has(id)).length - lost,
  }
}
