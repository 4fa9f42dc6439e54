import { expect, it } from 'vitest'
import { startSpans, useIntake } from '../support/spans.ts'

const SPANS = 10
const PLAN = { make: { spans: SPANS }, end: 'a signal' } as const
/** The service is away for the first requests: some two seconds. */
const AWAY = 3

function useIntakeThatWasAway() {
  return useIntake({ when: { first: AWAY }, reaction: { status: 503 } })
}

it('SVC_OTEL_MAX_RETRY_AGE is how many seconds spans are retried, until they are lost with the reason', async () => {
  const intake = await useIntakeThatWasAway()
  const program = startSpans(intake, PLAN, { SVC_OTEL_MAX_RETRY_AGE: '0.1' })
  await program.printed(/lost/)
  program.kill('SIGTERM')
  const { stderr } = await program.ended
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(
      /did not accept a batch of spans: it answered 503: \{\}\. Spans are retried for 0\.1 s \(SVC_OTEL_MAX_RETRY_AGE\)\. 10 spans are lost\.$/,
    ),
  ])
  expect(intake.taken.size).toBe(0)
})

it('SVC_OTEL_MAX_RETRY_AGE is longer by default: the same spans arrive once', async () => {
  const intake = await useIntakeThatWasAway()
  const program = startSpans(intake, PLAN)
  expect(await intake.has(SPANS, 20_000)).toBe(true)
  program.kill('SIGTERM')
  expect((await program.ended).stderr).toBe('')
  expect([...intake.taken.values()]).toEqual(Array.from({ length: SPANS }, () => 1))
})
