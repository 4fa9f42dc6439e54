import { z } from 'zod/v4'
import { collect, dropHalfRead, errorOf, failReading, QUESTION, readUntil } from '../harness/kit.mjs'
import { ABOUT_PARIS, agent, run, weather } from './agent.mjs'

const streamOf = ({ client: { runner }, exports }, model, options = {}) =>
  runner.run(agent(exports, { model }), QUESTION, { stream: true, ...options })

const textIn = ({ data }) => data?.delta
const classOf = async (failing) => (await errorOf(failing))?.class

/** The class of the client is not told; what one makes can be changed. */
async function impatient(kit) {
  const { OpenAIProvider } = kit.exports
  const model = await new OpenAIProvider({ apiKey: 'none', baseURL: `${kit.url}/v1`, useResponses: true }).getModel(
    'hang',
  )
  Object.assign(model._client, { timeout: 50, maxRetries: 0 })
  return model
}

const both = (model) => async (kit) => {
  const result = await streamOf(kit, model)
  return [
    (await errorOf(run(kit, agent(kit.exports, { model }))))?.message,
    await errorOf(collect(result)),
    (await errorOf(result.completed))?.message,
  ]
}

/** What the library says of an answer that is not of the output's type. */
const checkedBy = (model) => async (kit) => {
  const guide = agent(kit.exports, { model, outputType: z.object({ city: z.string() }) })
  const result = await kit.client.runner.run(guide, QUESTION, { stream: true })
  return [
    (await errorOf(run(kit, guide)))?.class,
    (await errorOf(collect(result)))?.class,
    (await errorOf(result.completed))?.class,
  ]
}

/** What stops a run before its model is asked, after it answered, or at a tool. */
const tripping = (name) => ({ name, execute: async () => ({ outputInfo: {}, tripwireTriggered: true }) })

export const endings = {
  'an answer that is too long': { since: 0.2, does: both('truncated') },
  'a refusal': { since: 0.2, does: both('refused') },
  'a filtered answer': { since: 0.2, does: both('filtered') },
  'an answer that does not fit': { since: 0.2, does: checkedBy('misfit') },
  "a helper's check": { since: 0.2, does: checkedBy('truncated') },
  'a guardrail of the input': {
    since: 0.2,
    does: async (kit) => classOf(run(kit, agent(kit.exports, { inputGuardrails: [tripping('no questions')] }))),
  },
  'a guardrail of a streamed answer': {
    since: 0.2,
    does: async (kit) => {
      const guide = agent(kit.exports, { outputGuardrails: [tripping('no answers')] })
      const result = await kit.client.runner.run(guide, QUESTION, { stream: true })
      return [await classOf(collect(result)), await classOf(result.completed)]
    },
  },
  'a guardrail of a tool': {
    since: 0.2,
    does: async (kit) => {
      const run = async () => ({ behavior: { type: 'throwException' }, outputInfo: 'no weather' })
      const tools = [weather(kit.exports, undefined, { inputGuardrails: [{ name: 'no weather', run }] })]
      return classOf(kit.client.runner.run(agent(kit.exports, { tools }), ABOUT_PARIS))
    },
  },
  'error 429': (kit) =>
    errorOf(run(kit, agent(kit.exports, { model: 'error-429' }))).then(({ class: name, status }) => [name, status]),
  // At first the trace of a streamed run ended before its steps did.
  'error on a stream': {
    since: 0.2,
    does: async (kit) => {
      const result = await streamOf(kit, 'cut')
      return [await classOf(collect(result)), await classOf(result.completed)]
    },
  },
  timeout: {
    since: 0.2,
    does: async (kit) => classOf(run(kit, agent(kit.exports, { model: await impatient(kit) }))),
  },
  'aborted before the answer': async (kit) => {
    const controller = new AbortController()
    const { signal } = controller
    const own = globalThis.fetch
    globalThis.fetch = (...args) => {
      globalThis.fetch = own
      setImmediate(() => controller.abort())
      return own(...args)
    }
    const { name } = await errorOf(run(kit, agent(kit.exports, { model: 'hang' }), QUESTION, { signal }))
    return name
  },
  // Before it ended the process by itself.
  'aborted during the answer': {
    since: 0.2,
    does: async (kit) => {
      const controller = new AbortController()
      const { signal } = controller
      const result = await streamOf(kit, 'stall', { signal })
      return classOf(readUntil(result, (event) => textIn(event) === ' word' && controller.abort()))
    },
  },
  'left early': async (kit) => {
    const result = await streamOf(kit, 'stall')
    await readUntil(result, (event) => textIn(event) === ' word')
    return result.finalOutput
  },
  'the reader throws': async (kit) => failReading(await streamOf(kit, 'stall'), (event) => textIn(event) === ' word'),
  // The library reads to the end, whether anybody listens or not.
  'abandoned, unread': async (kit) => {
    const { completed } = await streamOf(kit, 'gpt-4o-mini')
    return completed
  },
  'abandoned, half read': async (kit) => {
    const result = await streamOf(kit, 'gpt-4o-mini')
    await dropHalfRead(result)
    return result.completed
  },
}
