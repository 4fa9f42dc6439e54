import { collect, dropHalfRead, errorOf, failReading, QUESTION, readUntil } from '../harness/kit.mjs'
import { agent, run } from './agent.mjs'

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

export const endings = {
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
