import { expect, it } from 'vitest'
import type { Fault } from '../faults/fault.ts'
import { lostIn, names, startSpans, useIntake } from '../support/spans.ts'

const SPANS = 10
const make = { spans: SPANS }
const hanging: Fault = { reaction: { answer: 'none' } }
/** The request itself would outlast the test. */
const ENDLESS = { SVC_TIMEOUT: '600' }

it('SVC_TIMEOUT is how many seconds an export may take, independent of the shutdown timeout', async () => {
  const intake = await useIntake(hanging)
  const { code, stderr } = await startSpans(intake, { make, end: 'naturally' }, { SVC_TIMEOUT: '0.2' }).ended
  expect({ code, lost: lostIn(stderr) }).toEqual({ code: 0, lost: SPANS })
  expect(stderr).toMatch(/did not answer within 0\.2 s \(SVC_TIMEOUT\)/)
})

it.each([
  ['naturally', { code: 0, signal: null }],
  ['process.exit', { code: 3, signal: null }],
  ['a signal', { code: null, signal: 'SIGTERM' }],
] as const)(
  'SVC_SHUTDOWN_TIMEOUT is how many seconds the end of a process waits for a hanging service: %s',
  async (end, how) => {
    const intake = await useIntake(hanging)
    const program = startSpans(intake, { make, end }, { ...ENDLESS, SVC_SHUTDOWN_TIMEOUT: '0.3' })
    await program.printed(/^ready/m)
    if (how.signal) program.kill(how.signal)
    const { code, signal, stderr } = await program.ended
    expect({ code, signal, lost: lostIn(stderr) }).toEqual({ ...how, lost: SPANS })
    expect(stderr).toMatch(
      /gave up on the last spans: http:\S+ did not accept them within 0\.3 s \(SVC_SHUTDOWN_TIMEOUT\)/,
    )
  },
)

it('SVC_OTEL_MAX_RETRY_AGE is how many seconds spans are retried, until they are lost with the reason', async () => {
  const intake = await useIntake({ reaction: { status: 503 } })
  const program = startSpans(intake, { make, end: 'a signal' }, { SVC_OTEL_MAX_RETRY_AGE: '0.1' })
  await program.printed(/lost/)
  program.kill('SIGTERM')
  const { stderr } = await program.ended
  // Whether there was an answer by then, and whether all were one batch, depends on the machine.
  expect(stderr).toMatch(/Spans are retried for 0\.1 s \(SVC_OTEL_MAX_RETRY_AGE\)\. \d+ spans? (?:is|are) lost\.$/m)
  expect(lostIn(stderr)).toBe(SPANS)
})

it('SVC_OTEL_MAX_QUEUE_BYTES limits the queue: newer spans are dropped and counted', async () => {
  const intake = await useIntake()
  // 2.7 MB that cannot be compressed, ended in one tick, so that all of it has to wait.
  const plan = { make: { spans: 600, size: 'random' }, end: 'process.exit' } as const
  const { stderr } = await startSpans(intake, plan, { SVC_OTEL_MAX_QUEUE_BYTES: '600000' }).ended
  const arrived = [...intake.taken.keys()]
  expect(arrived.toSorted()).toEqual(names(0, arrived.length).toSorted())
  const bytes = intake.requests.reduce((sum, { wire }) => sum + wire, 0)
  expect(bytes).toBeLessThanOrEqual(600_000)
  expect(bytes).toBeGreaterThan(300_000)
  expect(lostIn(stderr)).toBe(600 - arrived.length)
  expect(stderr).toMatch(/The export queue is full \(600000 bytes, SVC_OTEL_MAX_QUEUE_BYTES\)/)
})
