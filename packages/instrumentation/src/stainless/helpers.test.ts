import OpenAI from 'openai'
import { beforeEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { instrumentOpenAI } from '../openai/patch.ts'

recordSpans()
beforeEach(forgetSpans)

instrumentOpenAI({ OpenAI })
const client = new OpenAI({ apiKey: 'none', fetch: async () => new Response(EVENTS, { headers: EVENT_STREAM }) })
const question = { model: 'm', messages: [{ role: 'user' as const, content: 'q' }] }

const EVENT_STREAM = { 'content-type': 'text/event-stream' }
const EVENTS = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'One' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: { content: ' word' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
]
  .map(
    (chunk) => `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'm', ...chunk })}`,
  )
  .concat('data: [DONE]', '')
  .join('\n\n')

const recorded = () =>
  finishedSpans().map(({ status, attributes: { [OUTPUT]: output, [LEVEL]: level } }) => [status.code, level, output])
const OUTPUT = 'svc.observation.output'
const LEVEL = 'svc.observation.level'
const said = (content: string) => JSON.stringify([{ role: 'assistant', content }])

it('a call ends with its helper, before the application gets the answer', async () => {
  await client.chat.completions.stream(question).finalChatCompletion()
  expect(recorded()).toEqual([[0, undefined, said('One word')]])
})

it('what the application asks in a listener ends by itself', async () => {
  const asked = Promise.withResolvers<unknown>()
  const stream = client.chat.completions.stream(question).on('content', (text) => {
    if (text !== 'One') throw new RangeError('no second word')
    asked.resolve(client.chat.completions.create({ ...question, stream: true }))
  })
  await expect(stream.done()).rejects.toThrow('no second word')
  for await (const _ of (await asked.promise) as AsyncIterable<unknown>);
  expect(recorded().sort()).toEqual([
    [0, undefined, said('One word')],
    [2, undefined, said('One word')],
  ])
})

it('a helper that the application leaves is no error', async () => {
  const stream = client.chat.completions.stream(question)
  for await (const _ of stream) break
  await expect(stream.done()).rejects.toThrow('aborted')
  expect(recorded()).toEqual([[0, 'WARNING', expect.anything()]])
})
