import { setTimeout as wait } from 'node:timers/promises'
import { QUESTION, WEATHER } from '../harness/kit.mjs'

// One tool at a time, and it takes a while: what begins in the same millisecond has no order.
export const ABOUT_PARIS = 'How is the weather in Paris?'

/** The application has a processor of its own in the place of the library's, which would send to the vendor. */
export function connect({ exports, url }, { useResponses = true, ...options } = {}) {
  const { OpenAIProvider, Runner, setTraceProcessors } = exports
  const received = recorder()
  setTraceProcessors([received])
  const modelProvider = new OpenAIProvider({ apiKey: 'sk-not-to-be-seen', baseURL: `${url}/v1`, useResponses })
  return { runner: new Runner({ modelProvider, tracingDisabled: false, ...options }), received: received.events }
}

export function recorder() {
  const events = []
  const tell =
    (what) =>
    async ({ type, name, spanData }) =>
      events.push([what, type, spanData?.type, spanData?.name ?? name])
  const nothing = async () => {}
  const ends = { onTraceEnd: tell('end'), onSpanEnd: tell('end') }
  const starts = { onTraceStart: tell('start'), onSpanStart: tell('start') }
  return { events, ...starts, ...ends, shutdown: nothing, forceFlush: nothing }
}

export const weather = ({ tool }, execute = ({ city }) => `sunny in ${city}`, more = {}) =>
  tool({
    ...WEATHER,
    parameters: { ...WEATHER.parameters, additionalProperties: false },
    strict: true,
    ...more,
    execute: async (input) => {
      await wait(5)
      return execute(input)
    },
    errorFunction: (_, { message }) => `failed: ${message}`,
  })

export const agent = ({ Agent }, more = {}) =>
  new Agent({ name: 'Guide', instructions: 'Be brief.', model: 'gpt-4o-mini', ...more })

export const run = async ({ client: { runner, received } }, guide, question = QUESTION, options = {}) => {
  const { finalOutput } = await runner.run(guide, question, options)
  return { finalOutput, received }
}
