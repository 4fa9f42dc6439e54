import { expect, it } from 'vitest'
import { recordSpans } from '../../test/spans.ts'
import { recordedBy, recordWire, sendAgain } from '../../test/wire.ts'

recordSpans()
recordWire()

const QUESTION = 'What is a span?'
const messages = [{ role: 'user', content: [{ text: QUESTION }] }]
const claude = {
  anthropic_version: 'bedrock-2023-05-31',
  max_tokens: 99,
  messages: [{ role: 'user', content: QUESTION }],
}

/** What is recorded of a request to a model of Bedrock. */
async function recorded(path: string, body: object): Promise<unknown[]> {
  return recordedBy(({ url }) => sendAgain([{ path: `/model/${path}`, headers: {}, body: JSON.stringify(body) }], url))
}

// Models with a protocol each, one of which has its counts in headers alone.
it.each([
  ['us.anthropic.claude-test%3A0/converse', { messages }, 'chat us.anthropic.claude-test:0'],
  ['claude-test/converse-stream', { messages }, 'chat claude-test'],
  ['anthropic.claude-3-5-haiku/invoke', claude, 'chat anthropic.claude-3-5-haiku'],
  ['anthropic.claude-3-5-haiku/invoke-with-response-stream', claude, 'chat anthropic.claude-3-5-haiku'],
  ['meta.llama3/invoke', { prompt: QUESTION }, 'text_completion meta.llama3'],
  ['mistral.mistral-7b/invoke', { prompt: QUESTION }, 'text_completion mistral.mistral-7b'],
  ['mistral.mistral-7b/invoke-with-response-stream', { prompt: QUESTION }, 'text_completion mistral.mistral-7b'],
])('%s is a call, with what was said and counted', async (path, body, name) => {
  const [call, ...others] = await recorded(path, body)
  expect(others).toEqual([])
  const isStream = path.endsWith('-stream')
  expect(call).toMatchObject({
    name,
    scope: '@svc/instrumentation-bedrock',
    attributes: {
      'gen_ai.provider.name': 'aws.bedrock',
      'svc.observation.input': expect.stringContaining(QUESTION),
      'svc.observation.output': expect.stringContaining('You asked'),
      'svc.observation.usage_details': expect.stringMatching(/"input":\d+,"output":\d+/),
      'svc.observation.completion_start_time': isStream ? 'known' : undefined,
    },
  })
})

it('embeddings have their count in headers', async () => {
  expect(await recorded('amazon.titan-embed-text-v2/invoke', { inputText: QUESTION })).toMatchObject([
    {
      name: 'embeddings amazon.titan-embed-text-v2',
      attributes: { 'svc.observation.usage_details': expect.stringMatching(/"input":[1-9]/) },
    },
  ])
})

it('an exception within a stream is a failed call, with what was said', async () => {
  expect(await recorded('claude-overload/converse-stream', { messages })).toMatchObject([
    {
      status: { message: 'Too many requests, please wait' },
      attributes: { 'svc.observation.output': expect.stringContaining('You asked') },
    },
  ])
})

it('a path of an application that ends like one is none', async () => {
  expect(await recorded('mine/invoke', { input: QUESTION })).toEqual([])
})
