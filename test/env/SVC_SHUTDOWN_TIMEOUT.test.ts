import { expect, it } from 'vitest'
import { lostIn, startSpans, useIntake } from '../support/spans.ts'

const SPANS = 10
const make = { spans: SPANS }
/** Milliseconds from where the application ends to the end of the process. */
const endOf = (stdout: string) => Number(/^ends (\d+)$/m.exec(stdout)?.[1])

/** The request itself may take a minute, so nothing else ends the wait. */
const PATIENT = { SVC_TIMEOUT: '60' }
const GAVE_UP = /gave up on the last spans: http:\S+ did not accept them within 0\.3 s \(SVC_SHUTDOWN_TIMEOUT\)/

it.each([
  ['naturally', 0],
  ['process.exit', 3],
] as const)(
  'SVC_SHUTDOWN_TIMEOUT is how many seconds a process that ends %s waits for a hanging service',
  async (end, code) => {
    const intake = await useIntake({ reaction: { answer: 'none' } })
    const program = startSpans(intake, { make, end }, { ...PATIENT, SVC_SHUTDOWN_TIMEOUT: '0.3' })
    const ended = await program.ended
    const waited = Date.now() - endOf(ended.stdout)
    expect(ended.code).toBe(code)
    expect(ended.stderr).toMatch(GAVE_UP)
    expect(lostIn(ended.stderr)).toBe(SPANS)
    expect(waited).toBeGreaterThanOrEqual(300)
  },
)

it('SVC_SHUTDOWN_TIMEOUT limits the delay of an unhandled signal', async () => {
  const intake = await useIntake({ reaction: { answer: 'none' } })
  const program = startSpans(intake, { make, end: 'a signal' }, { ...PATIENT, SVC_SHUTDOWN_TIMEOUT: '0.3' })
  await program.printed(/^ready/m)
  program.kill('SIGTERM')
  const { signal, stderr } = await program.ended
  expect(signal).toBe('SIGTERM')
  expect(stderr).toMatch(GAVE_UP)
})

it.each([
  ['process.exit', 3],
  ['a shutdown', 0],
] as const)('SVC_SHUTDOWN_TIMEOUT bounds %s, and gives a slow service more time if it is longer', async (end, code) => {
  const run = async (seconds: string) => {
    const intake = await useIntake({ reaction: { afterMs: 1_000 } })
    const ended = await startSpans(intake, { make, end }, { ...PATIENT, SVC_SHUTDOWN_TIMEOUT: seconds }).ended
    return { code: ended.code, arrived: intake.taken.size, reported: lostIn(ended.stderr) }
  }
  expect(await run('0.3')).toEqual({ code, arrived: 0, reported: SPANS })
  expect(await run('20')).toEqual({ code, arrived: SPANS, reported: 0 })
})

it.each(['naturally', 'process.exit', 'a shutdown'])(
  'SVC_SHUTDOWN_TIMEOUT=0 does not wait, and reports the loss: %s',
  async (end) => {
    const intake = await useIntake({ reaction: { answer: 'none' } })
    const { stderr } = await startSpans(intake, { make, end }, { ...PATIENT, SVC_SHUTDOWN_TIMEOUT: '0' }).ended
    expect({ reported: lostIn(stderr) }).toEqual({ reported: SPANS })
  },
)
