import { ANSWER, CHUNKS, replies } from './said.mjs'

const usage = { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 }
const head = { id: 'chatcmpl-1', created: 1, model: 'gpt-test' }
const message = { role: 'assistant', content: ANSWER }
const answer = { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }
const chunks = CHUNKS.map((content, index) => {
  const finish_reason = index === CHUNKS.length - 1 ? 'stop' : null
  return { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content }, finish_reason }] }
})

/** The Chat Completions protocol. */
export const chatCompletions = replies(answer, [...chunks, '[DONE]'])
export const baseURL = 'http://127.0.0.1:9/v1'
