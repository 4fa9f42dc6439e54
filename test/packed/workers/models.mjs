// A Worker that asks models by bundled libraries: plainly, as a stream, and by a client that is observed.

import { AsyncLocalStorage } from 'node:async_hooks'
import * as anthropic from '@anthropic-ai/sdk'
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { instrument } from '@svc/instrumentation'
import { observeOpenAI } from '@svc/instrumentation/openai'
import { SvcSpanProcessor } from '@svc/otel'
import { propagateAttributes, startActiveObservation } from '@svc/tracing'
import * as openai from 'openai'

const storage = new AsyncLocalStorage()
context.setGlobalContextManager({
  active: () => storage.getStore() ?? ROOT_CONTEXT,
  with: (active, work, self, ...args) => storage.run(active, () => work.apply(self, args)),
})
instrument(openai, anthropic)
let processor

export default {
  async fetch(request, bindings, worker) {
    if (!processor) {
      processor = new SvcSpanProcessor({ env: (name) => bindings[name] })
      trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }))
    }
    const userId = new URL(request.url).searchParams.get('user')
    const traceId = await propagateAttributes({ userId }, () =>
      startActiveObservation('ask', async (span) => {
        await ask(bindings)
        return span.traceId
      }),
    )
    worker.waitUntil(processor.forceFlush())
    return new Response(traceId)
  },
}

async function ask({ OPENAI_BASE_URL, OPENAI_API_KEY: apiKey }) {
  const messages = [{ role: 'user', content: 'Hi' }]
  const gpt = { model: 'gpt-4o', messages }
  const client = new openai.OpenAI({ apiKey, baseURL: OPENAI_BASE_URL })
  await client.chat.completions.create(gpt)
  const streamed = { ...gpt, stream: true, stream_options: { include_usage: true } }
  for await (const _ of await client.chat.completions.create(streamed));
  await observeOpenAI(client, { generationName: 'observed' }).chat.completions.create(gpt)
  const claude = new anthropic.Anthropic({ apiKey, baseURL: new URL('/', OPENAI_BASE_URL).href })
  await claude.messages.create({ model: 'claude-sonnet-4-5', max_tokens: 9, messages })
}
