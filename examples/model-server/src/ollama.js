import { answerTo, pieces, tokens } from './answer.js'
import { vectorOf } from './embeddings.js'
import { listOfObjects } from './http.js'

/** `POST /api/chat`: streams unless told not to. */
export function chat(body) {
  const asked = listOfObjects(body.messages, 'messages')
  const last = asked.at(-1)
  const spoke = asked.findLastIndex(({ role }) => role === 'assistant')
  const { text, calls, end } = answerTo({
    model: body.model,
    prompt: asked.findLast(({ role }) => role === 'user')?.content ?? '',
    lastRole: last.role,
    results: last.role === 'tool' ? asked.slice(spoke + 1).map(({ content }) => content) : [],
    tools: body.tools,
    schema: typeof body.format === 'object' ? body.format : undefined,
  })
  const tool_calls = calls.map((call) => ({ function: { name: call.name, arguments: JSON.parse(call.arguments) } }))
  const thinking = body.think ? 'The user wants a short answer.' : ''
  const said = (message) => ({ ...base(body), message: { role: 'assistant', content: '', ...message } })
  const done = endOf(tokens(JSON.stringify(asked)), tokens(text + JSON.stringify(calls)), end)
  if (body.stream === false) {
    const message = { content: text, ...(thinking ? { thinking } : {}), ...(calls.length > 0 ? { tool_calls } : {}) }
    return { json: { ...said(message), ...done } }
  }
  const items = [
    ...pieces(thinking).map((piece) => said({ thinking: piece })),
    ...pieces(text).map((content) => said({ content })),
    ...tool_calls.map((call) => said({ tool_calls: [call] })),
  ]
  return { lines: [...items.map((item) => ({ ...item, done: false })), { ...said({}), ...done }] }
}

/** `POST /api/generate` */
export function generate(body) {
  const { text } = answerTo({ model: body.model, prompt: body.prompt ?? '', lastRole: 'user', results: [] })
  const end = endOf(tokens(body.prompt ?? ''), tokens(text))
  if (body.stream === false) return { json: { ...base(body), response: text, ...end } }
  const items = pieces(text).map((response) => ({ ...base(body), response, done: false }))
  return { lines: [...items, { ...base(body), response: '', ...end }] }
}

/** `POST /api/embed` */
export function embed(body) {
  const texts = [body.input ?? ''].flat()
  const prompt_eval_count = texts.reduce((sum, text) => sum + tokens(text), 0)
  return { json: { model: body.model, embeddings: texts.map((text) => vectorOf(text, 8)), prompt_eval_count } }
}

/** `POST /api/embeddings`, the former one: a single text, and nothing counted. */
export function embeddings(body) {
  return { json: { embedding: vectorOf(body.prompt ?? '', 8) } }
}

export const refusal = ({ message }) => ({ error: message })

const base = ({ model }) => ({ model, created_at: new Date().toISOString() })

function endOf(prompt_eval_count, eval_count, end) {
  const done_reason = end === 'truncated' ? 'length' : 'stop'
  return { done: true, done_reason, total_duration: 5e6, load_duration: 1e6, prompt_eval_count, eval_count }
}
