import { expect, it, vi } from 'vitest'
import { startSpans, useIntake } from '../support/spans.ts'

const SPANS = 2_000
/** Each has 4.5 KB that cannot be compressed: 9 MB in all, ended in one tick, so that all of it has to wait. */
const make = { spans: SPANS, size: 'random' } as const

vi.setConfig({ testTimeout: 180_000 })

async function waiting(env: Readonly<Record<string, string>>, spans = SPANS) {
  const intake = await useIntake()
  const { stderr, code } = await startSpans(intake, { make: { ...make, spans }, end: 'process.exit' }, env).ended
  expect(code).toBe(3)
  return { arrived: [...intake.taken.keys()].toSorted(), stderr }
}

it('SVC_OTEL_MAX_QUEUE_BYTES is far above 9 MB by default', async () => {
  const { arrived, stderr } = await waiting({})
  expect(arrived).toHaveLength(SPANS)
  expect(stderr).toBe('')
})

it('SVC_OTEL_MAX_QUEUE_BYTES counts compressed bytes', async () => {
  const intake = await useIntake()
  const plan = { make: { spans: SPANS, size: 'llm' }, end: 'process.exit' } as const
  const { stderr } = await startSpans(intake, plan, { SVC_OTEL_MAX_QUEUE_BYTES: '4000000' }).ended
  const raw = intake.requests.reduce((sum, request) => sum + request.raw, 0)
  expect({ arrived: intake.taken.size, stderr }).toEqual({ arrived: SPANS, stderr: '' })
  expect(raw).toBeGreaterThan(10_000_000)
})

it('SVC_OTEL_MAX_QUEUE_BYTES accepts a single larger span', async () => {
  const { arrived, stderr } = await waiting({ SVC_OTEL_MAX_QUEUE_BYTES: '10' }, 1)
  expect({ arrived, stderr }).toEqual({ arrived: ['s0'], stderr: '' })
})
