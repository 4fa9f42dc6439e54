import { expect, it } from 'vitest'
import type { ResponseContent } from '../gen-ai/content.ts'
import type { Fields } from '../gen-ai/read.ts'
import { usageDetails } from '../gen-ai/usage.ts'
import { messages } from './messages.ts'

const start = (message: Fields) => ({ type: 'message_start', message })
const block = (content_block: Fields) => ({ type: 'content_block_start', index: 0, content_block })
const delta = (delta: Fields) => ({ type: 'content_block_delta', index: 0, delta })
const end = (delta: Fields, usage: Fields) => ({ type: 'message_delta', delta, usage })

function streamed(...events: readonly Fields[]): ResponseContent {
  const accumulator = messages.createAccumulator()
  for (const event of events) accumulator.add(event)
  return accumulator.response
}

it('the summary of a long conversation is content, without what is encrypted', () => {
  const compaction = { type: 'compaction', content: 'They talked.', encrypted_content: 'x' }
  const parts = [{ type: 'compaction', content: 'They talked.' }]
  expect(messages.readResponse({ content: [compaction] }).messages?.[0]?.parts).toEqual(parts)
  const answer = streamed(
    block({ type: 'compaction', content: null }),
    delta({ type: 'compaction_delta', content: 'They talked.', encrypted_content: 'x' }),
  )
  expect(answer.messages?.[0]?.parts).toEqual(parts)
})

it('the tokens of a summary are counted, which the sums leave out, and those of another model are not', () => {
  const [entry, split] = [{ type: 'message', input_tokens: 20, output_tokens: 10 }, { ephemeral_5m_input_tokens: 4 }]
  const usage = {
    input_tokens: 20,
    output_tokens: 10,
    iterations: [
      {
        type: 'compaction',
        input_tokens: 100,
        output_tokens: 7,
        cache_creation_input_tokens: 4,
        cache_creation: split,
      },
      entry,
      { type: 'advisor_message', model: 'claude-other', input_tokens: 3, output_tokens: 2 },
    ],
  }
  const counts = { input: 120, output: 17, input_cache_creation_5m: 4, total: 141 }
  const [whole, pieces] = [
    messages.readResponse({ usage }),
    streamed(start({ usage: { input_tokens: 20, output_tokens: 1 } }), end({ stop_reason: 'end_turn' }, usage)),
  ]
  for (const { usage: read, metadata } of [whole, pieces]) {
    expect(read && usageDetails(read, 'claude-test')).toEqual(counts)
    expect(metadata).toEqual({ usage_of_other_models: [usage.iterations[2]] })
  }
})

it("results of the vendor's own tools are results of tools", () => {
  const content = { type: 'web_fetch_result', url: 'https://weather.test' }
  const fetched = { type: 'web_fetch_tool_result', tool_use_id: 'srvtoolu_1', content }
  const parts = [{ type: 'tool_call_response', id: 'srvtoolu_1', response: content }]
  expect(messages.readResponse({ content: [fetched] }).messages?.[0]?.parts).toEqual(parts)
  expect(streamed(block(fetched)).messages?.[0]?.parts).toEqual(parts)
})

it('why the model refused, and the container of its code, are metadata', () => {
  const stop_details = { type: 'refusal', category: 'bio', explanation: 'A risk.', fallback_credit_token: 'x' }
  const stop = { stop_reason: 'refusal', stop_details, container: { id: 'container_1', expires_at: 'later' } }
  const metadata = { stop_details: { category: 'bio', explanation: 'A risk.' }, container_id: 'container_1' }
  expect(messages.readResponse(stop).metadata).toEqual(metadata)
  expect(streamed(start({ stop_details: null, container: null }), end(stop, {})).metadata).toEqual(metadata)
})

it('the container and the message that a request names are metadata, and the message is input', () => {
  const request = {
    container: 'container_1',
    thread: { type: 'continue', previous_message_id: 'msg_1' },
    messages: [{ role: 'user', content: 'And now?' }],
  }
  expect(messages.readParameters(request)).toEqual({
    'svc.observation.metadata.container_id': '"container_1"',
    'svc.observation.metadata.previous_message_id': '"msg_1"',
  })
  expect(messages.readRequest(request).messages?.map(({ parts }) => parts[0]?.content)).toEqual([
    '[previous message msg_1]',
    'And now?',
  ])
})

it('an answer of the model that takes over is that of this model, also if it streams', () => {
  const iterations = [
    { type: 'message', model: 'claude-first', input_tokens: 9, output_tokens: 1 },
    { type: 'message', model: 'claude-second', input_tokens: 9, output_tokens: 2 },
    { type: 'message', input_tokens: 1, output_tokens: 1 },
    { type: 'fallback_message', model: 'claude-second', input_tokens: 9, output_tokens: 3 },
  ]
  const hop = { type: 'fallback', from: { model: 'claude-first' }, to: { model: 'claude-second' } }
  const { model, usage, metadata } = streamed(
    start({ model: 'claude-first', usage: { input_tokens: 9 } }),
    block(hop),
    end({ stop_reason: 'end_turn' }, { output_tokens: 5, iterations }),
  )
  expect([model, usage?.input, usage?.output]).toEqual(['claude-second', 9, 5])
  expect(metadata).toEqual({ usage_of_other_models: [iterations[0]] })
})
