import { setTimeout as pause } from 'node:timers/promises'
import { startActiveObservation, startObservation } from '@svc/tracing'
import { ask } from './ask.mjs'

export const handler = async ({ question }) => ({ answer: await ask(question) })

export const fails = async ({ question }) => {
  await ask(question)
  throw new RangeError('no such city')
}

/** As frameworks end the span of a request: a moment after what answers it. */
export const framework = async ({ question }) => {
  const span = startObservation('request')
  const answer = await ask(question)
  setImmediate(() => span.end())
  return { answer }
}

/** Longer than it may. */
export const late = ({ question }) =>
  startActiveObservation('thinks', async () => {
    await ask(question)
    await pause(600_000)
  })

export const streams = globalThis.awslambda?.streamifyResponse(async ({ question }, stream) => {
  stream.write('{"answer":')
  stream.end(`${JSON.stringify(await ask(question))}}`)
})
