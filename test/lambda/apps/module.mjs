import { setTimeout as pause } from 'node:timers/promises'
import { startActiveObservation } from '@svc/tracing'
import { ask } from './ask.mjs'

export const handler = async ({ question }) => ({ answer: await ask(question) })

export const fails = async ({ question }) => {
  await ask(question)
  throw new RangeError('no such city')
}

/** Longer than it may. */
export const late = ({ question }) =>
  startActiveObservation('thinks', async () => {
    await ask(question)
    await pause(600_000)
  })

export const streams = awslambda.streamifyResponse(async ({ question }, stream) => {
  stream.write('{"answer":')
  stream.end(`${JSON.stringify(await ask(question))}}`)
})
