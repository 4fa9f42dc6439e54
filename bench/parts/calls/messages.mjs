import { ANSWER, CHUNKS, replies } from './said.mjs'

const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-test', stop_sequence: null }
const usage = { input_tokens: 1_000, output_tokens: 500 }
const answer = { ...head, content: [{ type: 'text', text: ANSWER }], stop_reason: 'end_turn', usage }

/** The messages of Anthropic. */
export const messages = replies(answer, [
  { type: 'message_start', message: { ...head, content: [], stop_reason: null, usage } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ...CHUNKS.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 500 } },
  { type: 'message_stop' },
])
