import { fileURLToPath } from 'node:url'
import type { ModelRequest, ModelServer } from '@svc-examples/model-server'
import { expect, it } from 'vitest'
import { type Series, startMetricsEndpoint } from '../support/metrics-endpoint.ts'
import { run } from './harness/run.ts'
import { MAIN, newestIn } from './harness/ways.ts'

/** Cases in which the application reads the whole answer, so that it is told what the model counted, and one that fails. */
const CASES = ['plain', 'streamed', 'tools', 'streamed tools', 'embeddings', 'error 429']

const LIBRARIES = [
  ...['openai', 'anthropic', 'groq', 'mistral', 'google-genai', 'generative-ai', 'vertexai', 'cohere', 'ollama'],
  ...['bedrock', 'together', 'cerebras', 'openrouter', 'perplexity', 'huggingface'],
  ...['langchain', 'ai-7', 'ai-6', 'agents'],
]

it.each(LIBRARIES)(
  '%s: calls, tokens and errors counted are those in the log of the model server',
  async (library) => {
    const endpoint = await startMetricsEndpoint()
    const folder = fileURLToPath(new URL(library, import.meta.url))
    const [name = library] = newestIn(library)
    const variant = { folder, name, kind: MAIN[library] ?? 'import', only: CASES }
    let served: Awaited<ReturnType<typeof servedBy>> | undefined
    const ended = async ([models]: readonly ModelServer[]) => {
      served = models && (await servedBy(models))
    }
    await run([variant], true, { env: endpoint.env, ended })
    const all = endpoint.series()
    await endpoint.close()
    const durations = all.filter((each) => each.name === 'gen_ai.client.operation.duration')
    const failed = durations.filter(({ attributes }) => attributes['error.type'] !== undefined)
    expect({
      calls: sumOf(durations, 'count') - sumOf(failed, 'count'),
      failed: sumOf(failed, 'count'),
      input: sumOf(tokens(all, 'input'), 'sum'),
      output: sumOf(tokens(all, 'output'), 'sum'),
      streams: sumOf(
        all.filter((each) => each.name === 'gen_ai.client.operation.time_to_first_chunk'),
        'count',
      ),
    }).toEqual({ ...served, failed: 1 })
  },
  100_000,
)

const sumOf = (series: readonly Series[], field: 'sum' | 'count') => series.reduce((sum, each) => sum + each[field], 0)

const tokens = (all: readonly Series[], type: string) =>
  all.filter(({ name, attributes }) => name === 'gen_ai.client.token.usage' && attributes['gen_ai.token.type'] === type)

/** What the model server answered: it says the same again to who asks the same, whether in a stream or not. */
async function servedBy(models: ModelServer) {
  const asked = models.requests().filter(({ method, path, body }) => method === 'POST' && !isRefused(path, body))
  const answers = await Promise.all(asked.map((request) => usageOf(models.url, request)))
  return {
    calls: asked.length,
    input: answers.reduce((sum, { input }) => sum + input, 0),
    output: answers.reduce((sum, { output }) => sum + output, 0),
    streams: asked.filter(isStream).length,
  }
}

const isRefused = (path: string, body: ModelRequest['body']) => /error-429/.test(`${path} ${body?.model}`)

const isStream = ({ path, body }: ModelRequest) => body?.stream === true || /stream/i.test(path)

async function usageOf(url: string, request: ModelRequest) {
  const { path, body } = request
  const isUntold = isStream(request) && /chat\/completions/.test(path) && !isToldBy(request)
  if (isUntold) return { input: 0, output: 0 }
  const whole = path.replace(':streamGenerateContent', ':generateContent').replace('converse-stream', 'converse')
  const { stream_options: _, ...rest } = body ?? {}
  const answer = await fetch(url + whole.replace('alt=sse', ''), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...rest, ...('stream' in rest ? { stream: false } : {}) }),
  })
  return countsIn((await answer.json()) as Fields)
}

/** Chat completions count in a stream only for who asks for it; Mistral's do always, and some clients ask by themselves. */
const isToldBy = ({ path, body }: ModelRequest) =>
  /mistral|groq|openai\/v1/.test(path) || (body?.stream_options as Fields | undefined)?.include_usage === true

type Fields = Readonly<Record<string, unknown>>

const INPUT = [
  ...['prompt_tokens', 'input_tokens', 'inputTokens', 'promptTokenCount', 'prompt_eval_count'],
  ...['cache_read_input_tokens', 'cache_creation_input_tokens', 'cacheReadInputTokens', 'cacheWriteInputTokens'],
]
const OUTPUT = [
  'completion_tokens',
  'output_tokens',
  'outputTokens',
  'candidatesTokenCount',
  'eval_count',
  'thoughtsTokenCount',
]

function countsIn(answer: Fields) {
  const { usage, usageMetadata, meta } = answer as Record<string, Fields | undefined>
  const counts = (usage?.tokens ?? usageMetadata ?? meta?.billed_units ?? usage ?? answer) as Fields
  const sum = (names: readonly string[]) => names.reduce((all, name) => all + Number(counts[name] ?? 0), 0)
  return { input: sum(INPUT), output: sum(OUTPUT) }
}
