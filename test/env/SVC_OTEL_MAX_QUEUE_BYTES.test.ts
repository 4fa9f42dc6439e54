import { expect, it, vi } from 'vitest'
import { lostIn, names, startSpans, useIntake } from '../support/spans.ts'

const SPANS = 2_000
/** Each has 4.5 KB that cannot be compressed: 9 MB in all, ended in one tick, so that all of it has to wait. */
const make = { spans: SPANS, size: 'random' } as const
const LIMIT = 2_000_000
/** On a busy machine nothing but the limit decides what arrives. */
const PATIENT = { SVC_SHUTDOWN_TIMEOUT: '120', SVC_TIMEOUT: '60' }

vi.setConfig({ testTimeout: 180_000 })

async function waiting(env: Readonly<Record<string, string>>, spans = SPANS) {
  const intake = await useIntake()
  const { stderr, code } = await startSpans(
    intake,
    { make: { ...make, spans }, end: 'process.exit' },
    { ...PATIENT, ...env },
  ).ended
  expect(code).toBe(3)
  const bytes = intake.requests.reduce((sum, { wire }) => sum + wire, 0)
  return { arrived: [...intake.taken.keys()].toSorted(), bytes, stderr }
}

it('SVC_OTEL_MAX_QUEUE_BYTES limits the queue: newer spans are dropped and counted', async () => {
  const { arrived, bytes, stderr } = await waiting({ SVC_OTEL_MAX_QUEUE_BYTES: String(LIMIT) })
  expect(arrived).toEqual(names(0, arrived.length).toSorted())
  expect(bytes).toBeLessThanOrEqual(LIMIT)
  expect(bytes).toBeGreaterThan(LIMIT / 2)
  expect(lostIn(stderr)).toBe(SPANS - arrived.length)
  expect(stderr).toMatch(/The export queue is full \(2000000 bytes, SVC_OTEL_MAX_QUEUE_BYTES\)/)
})

it('SVC_OTEL_MAX_QUEUE_BYTES is far above 9 MB by default', async () => {
  const { arrived, stderr } = await waiting({})
  expect(arrived).toHaveLength(SPANS)
  expect(stderr).toBe('')
})

it('SVC_OTEL_MAX_QUEUE_BYTES counts compressed bytes', async () => {
  const intake = await useIntake()
  const plan = { make: { spans: SPANS, size: 'llm' }, end: 'process.exit' } as const
  const { stderr } = await startSpans(intake, plan, { ...PATIENT, SVC_OTEL_MAX_QUEUE_BYTES: '4000000' }).ended
  const raw = intake.requests.reduce((sum, request) => sum + request.raw, 0)
  expect({ arrived: intake.taken.size, stderr }).toEqual({ arrived: SPANS, stderr: '' })
  expect(raw).toBeGreaterThan(10_000_000)
})

it('SVC_OTEL_MAX_QUEUE_BYTES accepts a single larger span', async () => {
  const { arrived, stderr } = await waiting({ SVC_OTEL_MAX_QUEUE_BYTES: '10' }, 1)
  expect({ arrived, stderr }).toEqual({ arrived: ['s0'], stderr: '' })
})
