import { answerTo, isReasoning, pieces, REASONING_TOKENS, textOf, tokens } from './answer.js'
import { listOfObjects } from './http.js'

/** `POST /v1/responses` */
export function responses(body, serial) {
  const items =
    typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : listOfObjects(body.input, 'input')
  const { output, end } = outputOf(body, items, serial)
  const response = {
    id: `resp_${serial}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1_000),
    status: INCOMPLETE[end] ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: INCOMPLETE[end] ? { reason: INCOMPLETE[end] } : null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    model: body.model,
    output,
    parallel_tool_calls: true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: { effort: body.reasoning?.effort ?? null, summary: null },
    temperature: body.temperature ?? 1,
    text: body.text ?? { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: body.top_p ?? 1,
    truncation: 'disabled',
    usage: usageOf(body, output),
  }
  return body.stream ? { events: numbered(eventsOf(response)) } : { json: response }
}

const INCOMPLETE = { truncated: 'max_output_tokens', filtered: 'content_filter' }

function outputOf(body, items, serial) {
  const last = items.at(-1)
  const fromTool = last?.type === 'function_call_output'
  const { text, calls, reasoning, end } = answerTo({
    model: body.model,
    prompt: textOf(items.findLast(({ role }) => role === 'user')?.content),
    lastRole: last?.role,
    results: fromTool
      ? items.filter(({ type }) => type === 'function_call_output').map(({ output }) => String(output))
      : [],
    tools: body.tools,
    schema: body.text?.format?.schema,
  })
  const output = calls.map((call, at) => {
    return {
      id: `fc_${serial}_${at}`,
      type: 'function_call',
      status: 'completed',
      call_id: `call_${serial}_${at}`,
      ...call,
    }
  })
  if (text) {
    const part = { type: 'output_text', text, annotations: [], logprobs: [] }
    const content = [end === 'refused' ? { type: 'refusal', refusal: text } : part]
    const status = INCOMPLETE[end] ? 'incomplete' : 'completed'
    output.push({ id: `msg_${serial}`, type: 'message', status, role: 'assistant', content })
  }
  if (reasoning) {
    output.unshift({ id: `rs_${serial}`, type: 'reasoning', summary: [{ type: 'summary_text', text: reasoning }] })
  }
  return { output, end }
}

function usageOf(body, output) {
  const input_tokens = tokens(JSON.stringify(body.input ?? '') + (body.instructions ?? ''))
  const reasoning_tokens = isReasoning(body.model) ? REASONING_TOKENS : 0
  const said = output.filter(({ type }) => type !== 'reasoning')
  const output_tokens = tokens(JSON.stringify(said)) + reasoning_tokens
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: Math.floor(input_tokens / 2) },
    output_tokens,
    output_tokens_details: { reasoning_tokens },
    total_tokens: input_tokens + output_tokens,
  }
}

/** The events of a streamed response in the order of the real protocol. */
function* eventsOf(response) {
  const begun = { ...response, status: 'in_progress', output: [], usage: null }
  yield { type: 'response.created', response: begun }
  yield { type: 'response.in_progress', response: begun }
  for (const [output_index, item] of response.output.entries()) {
    yield { type: 'response.output_item.added', output_index, item: emptied(item) }
    yield* STREAMED[item.type](item, { item_id: item.id, output_index })
    yield { type: 'response.output_item.done', output_index, item }
  }
  yield { type: `response.${response.status}`, response }
}

function emptied(item) {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] }
  if (item.type === 'function_call') return { ...item, status: 'in_progress', arguments: '' }
  return { ...item, summary: [] }
}

const STREAMED = {
  *message({ content: [part] }, at) {
    const where = { ...at, content_index: 0 }
    if (part.type === 'refusal') return yield* refused(part, where)
    yield { type: 'response.content_part.added', ...where, part: { ...part, text: '' } }
    for (const delta of pieces(part.text)) yield { type: 'response.output_text.delta', ...where, delta, logprobs: [] }
    yield { type: 'response.output_text.done', ...where, text: part.text, logprobs: [] }
    yield { type: 'response.content_part.done', ...where, part }
  },
  *function_call(item, at) {
    for (const delta of item.arguments.match(/.{1,5}/gs) ?? []) {
      yield { type: 'response.function_call_arguments.delta', ...at, delta }
    }
    yield { type: 'response.function_call_arguments.done', ...at, name: item.name, arguments: item.arguments }
  },
  *reasoning({ summary: [part] }, at) {
    const where = { ...at, summary_index: 0 }
    yield { type: 'response.reasoning_summary_part.added', ...where, part: { ...part, text: '' } }
    for (const delta of pieces(part.text)) yield { type: 'response.reasoning_summary_text.delta', ...where, delta }
    yield { type: 'response.reasoning_summary_text.done', ...where, text: part.text }
    yield { type: 'response.reasoning_summary_part.done', ...where, part }
  },
}

function* refused(part, where) {
  const { refusal } = part
  yield { type: 'response.content_part.added', ...where, part: { ...part, refusal: '' } }
  for (const delta of pieces(refusal)) yield { type: 'response.refusal.delta', ...where, delta }
  yield { type: 'response.refusal.done', ...where, refusal }
  yield { type: 'response.content_part.done', ...where, part }
}

function* numbered(events) {
  let sequence_number = 0
  for (const event of events) yield { ...event, sequence_number: sequence_number++ }
}
