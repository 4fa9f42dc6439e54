import { expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { instrumentOpenAI } from './patch.ts'

recordSpans()

const ANSWER = {
  id: 'chatcmpl-1',
  model: 'm-1',
  object: 'chat.completion',
  choices: [{ index: 0, finish_reason: 'length', message: { role: 'assistant', content: '{"a":' } }],
  usage: { prompt_tokens: 10, completion_tokens: 7, total_tokens: 17 },
}

/** As `zodResponseFormat` makes it. */
const FORMAT = Object.defineProperties(
  { type: 'json_schema', json_schema: { name: 'o', schema: {} } },
  { $brand: { value: 'auto-parseable-response-format' }, $parseRaw: { value: JSON.parse } },
)

const LENGTH = 'Could not parse response content as the length limit was reached'

// biome-ignore lint/suspicious/noExplicitAny: the versions have clients of different types.
type Client = any

it.each<[version: string, load: () => Promise<unknown>, fails: (client: Client) => Promise<unknown>]>([
  ['4', () => import('openai-4'), (client) => client.beta.chat.completions.parse(body())],
  ['5', () => import('openai-5'), (client) => client.chat.completions.parse(body())],
  ['6', () => import('openai-6'), (client) => client.chat.completions.parse(body())],
  ['7', () => import('openai'), (client) => client.chat.completions.parse(body())],
  ['7, with the response', () => import('openai'), (client) => client.chat.completions.parse(body()).withResponse()],
])('an answer that openai %s cannot parse is recorded beside the error', async (_, load, fails) => {
  const exports = (await load()) as { OpenAI: new (options: object) => Client }
  instrumentOpenAI(exports)
  const headers = { 'content-type': 'application/json' }
  const fetch = async () => new Response(JSON.stringify(ANSWER), { headers })
  forgetSpans()
  await expect(fails(new exports.OpenAI({ apiKey: 'none', fetch }))).rejects.toThrow(LENGTH)
  const [span, ...others] = finishedSpans()
  expect(others).toEqual([])
  expect(span?.status).toEqual({ code: 2, message: LENGTH })
  expect(span?.attributes).toMatchObject({
    'error.type': expect.any(String),
    'gen_ai.response.id': 'chatcmpl-1',
    'gen_ai.response.finish_reasons': ['length'],
    'svc.observation.output': JSON.stringify([{ role: 'assistant', content: '{"a":' }]),
    'svc.observation.usage_details': JSON.stringify({ input: 10, output: 7, total: 17 }),
  })
})

it('an error with status 200 in place of images is that of the call, though the library takes it', async () => {
  const exports = (await import('openai')) as unknown as { OpenAI: new (options: object) => Client }
  instrumentOpenAI(exports)
  const fetch = async () => Response.json({ error: { code: 'busy', message: 'no capacity' } })
  forgetSpans()
  await new exports.OpenAI({ apiKey: 'none', fetch }).images.generate({ model: 'm', prompt: 'a cat' })
  const [{ status, attributes } = {}] = finishedSpans()
  expect(status).toEqual({ code: 2, message: 'no capacity' })
  expect(attributes?.['error.type']).toBe('busy')
})

function body() {
  return { model: 'm', messages: [{ role: 'user', content: 'q' }], response_format: FORMAT }
}
