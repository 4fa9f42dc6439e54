import { answerTo, pieces, textOf, tokens } from './answer.js'
import { vectorOf } from './embeddings.js'

/** `POST /v1/chat`, the first version of Cohere's API: one message, and what was said before apart from it. */
export function chat(body, serial) {
  const results = body.tool_results ?? []
  const { text, calls } = answerTo({
    model: body.model,
    prompt: body.message || textOf(body.chat_history?.findLast(({ role }) => role === 'USER')?.message),
    lastRole: results.length > 0 ? 'tool' : 'user',
    results: results.flatMap(({ outputs }) => outputs.map(({ weather }) => weather)),
    tools: body.tools?.map(({ name, parameter_definitions }) => ({
      name,
      parameters: { properties: parameter_definitions },
    })),
    schema: body.response_format?.schema,
  })
  const tool_calls = calls.map(({ name, arguments: input }) => ({ name, parameters: JSON.parse(input) }))
  const answer = {
    response_id: `cohere-${serial}`,
    generation_id: `cohere-${serial}`,
    text,
    finish_reason: 'COMPLETE',
    chat_history: [...(body.chat_history ?? []), { role: 'USER', message: body.message }],
    ...(calls.length > 0 ? { tool_calls } : {}),
    meta: metaOf(body, text + JSON.stringify(tool_calls)),
  }
  return body.stream ? { lines: [...chatEvents(answer)] } : { json: answer }
}

/** `POST /v1/generate` */
export function generate(body, serial) {
  const { text } = answerTo({ model: body.model, prompt: body.prompt, lastRole: 'user', results: [] })
  const id = `cohere-${serial}`
  const generations = [{ id, text, finish_reason: 'COMPLETE' }]
  if (!body.stream) return { json: { id, prompt: body.prompt, generations, meta: metaOf(body, text) } }
  const said = pieces(text).map((piece) => ({ event_type: 'text-generation', text: piece, is_finished: false }))
  const end = { event_type: 'stream-end', is_finished: true, finish_reason: 'COMPLETE' }
  return { lines: [...said, { ...end, response: { id, prompt: body.prompt, generations } }] }
}

/** `POST /v1/embed` */
export function embed(body, serial) {
  const texts = body.texts ?? []
  const embeddings = texts.map((text) => vectorOf(text, 8))
  const input_tokens = texts.reduce((sum, text) => sum + tokens(text), 0)
  const meta = { api_version: { version: '1' }, billed_units: { input_tokens } }
  return { json: { id: `cohere-${serial}`, embeddings, texts, meta, response_type: 'embeddings_floats' } }
}

function metaOf({ message, prompt, chat_history = [] }, said) {
  const input_tokens = tokens(JSON.stringify([...chat_history, message ?? prompt]))
  const counts = { input_tokens, output_tokens: tokens(said) }
  return {
    api_version: { version: '1' },
    billed_units: counts,
    tokens: counts,
    cached_tokens: Math.floor(input_tokens / 2),
  }
}

function* chatEvents(response) {
  const { generation_id, text, tool_calls, finish_reason } = response
  yield { event_type: 'stream-start', generation_id, is_finished: false }
  for (const piece of pieces(text)) yield { event_type: 'text-generation', text: piece, is_finished: false }
  if (tool_calls) yield { event_type: 'tool-calls-generation', tool_calls, is_finished: false }
  yield { event_type: 'stream-end', finish_reason, response, is_finished: true }
}
