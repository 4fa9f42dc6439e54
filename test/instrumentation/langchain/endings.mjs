import { startObservation } from '@svc/tracing'
import {
  abortingFetch,
  breakOf,
  collect,
  dropHalfRead,
  errorOf,
  failReading,
  QUESTION,
  readUntil,
  WEATHER_QUESTION,
} from '../harness/kit.mjs'
import { chainOf, connect } from './chain.mjs'

export const endings = {
  'error 500': (kit) => asking(kit, 'error-500'),
  'error 429': { since: 1, does: (kit) => asking(kit, 'error-429') },
  'error on a stream': (kit) => errorOf(chainOf(kit).pipe(failing(kit)).stream({ question: 'x' }).then(collect)),
  'error of a tool': ({ exports: { StructuredTool } }) => {
    class Broken extends StructuredTool {
      name = 'broken'
      description = 'It never works'
      schema = { type: 'object', properties: {} }
      async _call() {
        startObservation('looking').end()
        throw new TypeError('no such city')
      }
    }
    return errorOf(new Broken().invoke({}))
  },
  timeout: (kit) => errorOf(connect(kit, { model: 'hang', timeout: 50 }).invoke(QUESTION)),
  'aborted before the answer': (kit) => {
    const { signal, fetch } = abortingFetch()
    return errorOf(connect(kit, { model: 'hang', configuration: { fetch } }).invoke(QUESTION, { signal }))
  },
  'aborted during the answer': async (kit) => {
    const controller = new AbortController()
    const model = connect(kit, { model: 'stall' })
    const stream = await chainOf(kit, model).stream({ question: QUESTION }, { signal: controller.signal })
    return errorOf(readUntil(stream, (text) => text === ' word' && controller.abort()))
  },
  'aborted before it is read': (kit) => readingAborted(kit),
  'a time that is over before it is read': (kit) => readingAborted(kit, new DOMException('too late', 'TimeoutError')),
  'left early': async ({ client }) =>
    (await readUntil(await client.stream(QUESTION), (_, { length }) => length === 3)).length,
  'a chain left early': async (kit) =>
    readUntil(await chainOf(kit).stream({ question: QUESTION }), (_, { length }) => length === 3),
  'the reader throws': async (kit) => failReading(await chainOf(kit).stream({ question: QUESTION })),
  'a stream that breaks': async (kit) =>
    breakOf(await chainOf(kit, connect(kit, { model: 'cut' })).stream({ question: QUESTION })),
  'an answer that is too long': (kit) => both(kit, 'truncated'),
  'a refusal': (kit) => both(kit, 'refused'),
  'a filtered answer': (kit) => both(kit, 'filtered'),
  // Before it said so in other words.
  'an answer that does not fit': { since: 1, does: (kit) => checkedBy(kit, 'misfit') },
  "a helper's check": { since: 1, does: (kit) => checkedBy(kit, 'truncated') },
  'abandoned, unread': async (kit) => Object.keys(await chainOf(kit).stream({ question: QUESTION })),
  'abandoned, half read': async (kit) => dropHalfRead(await chainOf(kit).stream({ question: QUESTION })),
}

async function both(kit, model) {
  const client = connect(kit, { model })
  return [(await client.invoke(QUESTION)).content, (await collect(await client.stream(QUESTION))).length]
}

/** What each way to a structured output says of an answer that does not have it. */
async function checkedBy(kit, model) {
  const { z } = kit.exports
  const failures = []
  for (const method of ['jsonSchema', 'functionCalling']) {
    const typed = connect(kit, { model }).withStructuredOutput(z.object({ city: z.string(), count: z.number() }), {
      method,
      name: 'place',
    })
    failures.push(await errorOf(typed.invoke(WEATHER_QUESTION)))
  }
  return failures.map((failure) => failure?.name)
}

function asking(kit, model) {
  return errorOf(chainOf(kit, connect(kit, { model })).invoke({ question: QUESTION }, { runName: 'fails' }))
}

async function readingAborted(kit, reason) {
  const controller = new AbortController()
  const stream = await chainOf(kit).stream({ question: QUESTION }, { signal: controller.signal })
  controller.abort(reason)
  return errorOf(collect(stream))
}

function failing({ exports: { RunnableLambda } }) {
  return RunnableLambda.from(() => {
    throw new RangeError('cannot go on')
  })
}
