// What an application says in code, beside what records its calls already, or in its place.
import { trace } from '@opentelemetry/api'
import { instrument } from '@svc/instrumentation'
import { observeOpenAI } from '@svc/instrumentation/openai'
import { anthropic, ask, askAnthropic, openai, streamed, textOf } from './clients.mjs'

const twice = async (kit, copy = { instrument }) => {
  const exports = await kit.load('openai')
  instrument(exports)
  copy.instrument(exports)
  const client = await openai(kit)
  return [textOf(await ask(client)), await streamed(await ask(client, { stream: true }))]
}

export default {
  'instrumented by hand, twice': (kit) => twice(kit),
  'instrumented by a second copy as well': async (kit) => twice(kit, await import(process.env.X_COPY)),
  'observed as well, twice': async (kit) => {
    const client = observeOpenAI(observeOpenAI(await openai(kit)), { generationName: 'answer' })
    return textOf(await ask(client))
  },
  'two copies of openai': async (kit) => {
    instrument(await kit.load('openai-5'))
    const clients = [await openai(kit), await openai(kit, 'openai-5')]
    return Promise.all(clients.map(async (client) => textOf(await ask(client))))
  },
  'a client of another vendor': async (kit) => textOf(await ask(await openai({ ...kit, url: `${kit.url}/openai` }))),
  'native spans that nobody asks for': async (kit) => {
    instrument(await kit.load('anthropic-1'))
    return askAnthropic(await anthropic(kit, 'anthropic-1'))
  },
  'native spans that an option asks for': async (kit) => {
    const openTelemetry = { tracerProvider: trace.getTracerProvider() }
    return askAnthropic(await anthropic(kit, 'anthropic-1', { openTelemetry }))
  },
}
