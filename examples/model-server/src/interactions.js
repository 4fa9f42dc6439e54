import { answerTo, isReasoning, pieces, REASONING_TOKENS, textOf, tokens } from './answer.js'

/** `POST /v1beta/interactions`, the newer of Gemini's APIs: steps in, steps out. */
export function interactions(body, serial) {
  const asked = [body.input ?? ''].flat()
  const steps = stepsOf(body, asked, serial)
  const interaction = {
    id: `gemini-${serial}`,
    object: 'interaction',
    model: body.model,
    status: steps.some(({ type }) => type === 'function_call') ? 'requires_action' : 'completed',
    steps,
    usage: usageOf(body, steps),
  }
  return body.stream ? { events: eventsOf(interaction) } : { json: interaction }
}

function stepsOf(body, asked, serial) {
  const results = asked.filter(({ type }) => type === 'function_result').map(({ result }) => String(result))
  const { text, calls } = answerTo({
    model: body.model,
    prompt: asked.map((said) => (typeof said === 'string' ? said : (said.text ?? textOf(said.content)))).join(''),
    lastRole: results.length > 0 ? 'tool' : 'user',
    results,
    tools: body.tools,
    schema: [body.response_format ?? []].flat()[0]?.schema,
  })
  const thought = { type: 'thought', summary: [{ type: 'text', text: 'The user wants a short answer.' }] }
  return [
    ...(isReasoning(body.model) ? [thought] : []),
    ...(text ? [{ type: 'model_output', content: [{ type: 'text', text }] }] : []),
    ...calls.map((call, at) => {
      const input = JSON.parse(call.arguments)
      return { type: 'function_call', id: `call_${serial}_${at}`, name: call.name, arguments: input }
    }),
  ]
}

/** Thoughts are counted beside what was said. */
function usageOf(body, steps) {
  const total_input_tokens = tokens(JSON.stringify(body.input ?? ''))
  const total_output_tokens = tokens(JSON.stringify(steps.filter(({ type }) => type !== 'thought')))
  const total_thought_tokens = isReasoning(body.model) ? REASONING_TOKENS : 0
  const total_tokens = total_input_tokens + total_output_tokens + total_thought_tokens
  const total_cached_tokens = Math.floor(total_input_tokens / 2)
  return { total_input_tokens, total_output_tokens, total_thought_tokens, total_cached_tokens, total_tokens }
}

function* eventsOf({ steps, usage, ...interaction }) {
  yield { event_type: 'interaction.created', interaction: { ...interaction, status: 'in_progress' } }
  for (const [index, step] of steps.entries()) {
    const { content, summary, arguments: input, ...begun } = step
    yield { event_type: 'step.start', index, step: { ...begun, ...(input ? { arguments: {} } : {}) } }
    for (const text of pieces(textOf(content))) yield { event_type: 'step.delta', index, delta: { type: 'text', text } }
    for (const part of summary ?? []) {
      yield { event_type: 'step.delta', index, delta: { type: 'thought_summary', content: part } }
    }
    for (const part of (input ? JSON.stringify(input) : '').match(/.{1,5}/gs) ?? []) {
      yield { event_type: 'step.delta', index, delta: { type: 'arguments_delta', arguments: part } }
    }
    yield { event_type: 'step.stop', index }
  }
  yield { event_type: 'interaction.completed', interaction: { ...interaction, usage } }
}
