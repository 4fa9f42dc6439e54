import { expect, it } from 'vitest'
import { lostIn, startSpans, useIntake } from '../support/spans.ts'

const SPANS = 10
const make = { spans: SPANS }

it.each([
  ['process.exit', 3],
  ['a shutdown', 0],
] as const)('SVC_SHUTDOWN_TIMEOUT bounds %s, and gives a slow service more time if it is longer', async (end, code) => {
  const run = async (seconds: string) => {
    const intake = await useIntake({ reaction: { afterMs: 1_000 } })
    const ended = await startSpans(intake, { make, end }, { SVC_SHUTDOWN_TIMEOUT: seconds }).ended
    return { code: ended.code, arrived: intake.taken.size, reported: lostIn(ended.stderr) }
  }
  expect(await run('0.3')).toEqual({ code, arrived: 0, reported: SPANS })
  expect(await run('60')).toEqual({ code, arrived: SPANS, reported: 0 })
})

it.each(['naturally', 'process.exit', 'a shutdown'])(
  'SVC_SHUTDOWN_TIMEOUT=0 does not wait, and reports the loss: %s',
  async (end) => {
    const intake = await useIntake({ reaction: { answer: 'none' } })
    const { stderr } = await startSpans(intake, { make, end }, { SVC_SHUTDOWN_TIMEOUT: '0', SVC_TIMEOUT: '600' }).ended
    expect({ reported: lostIn(stderr) }).toEqual({ reported: SPANS })
  },
)
