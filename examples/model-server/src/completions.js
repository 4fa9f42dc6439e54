import { answerTo, pieces, tokens } from './answer.js'

/** `POST /v1/completions`, the old one. */
export function completions(body, serial) {
  const prompt = [body.prompt ?? ''].flat().join('\n')
  const choices = Array.from({ length: Math.min(body.n ?? 1, 8) }, (_, index) => {
    const { text } = answerTo({ model: body.model, prompt, lastRole: 'user', results: [], variant: index })
    return { index, text, logprobs: null, finish_reason: 'stop' }
  })
  const base = {
    id: `cmpl-${serial}`,
    object: 'text_completion',
    created: Math.floor(Date.now() / 1_000),
    model: body.model,
  }
  const prompt_tokens = tokens(prompt)
  const completion_tokens = choices.reduce((sum, { text }) => sum + tokens(text), 0)
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
  if (body.stream) return { events: chunks(base, choices, body.stream_options?.include_usage ? usage : undefined) }
  return { json: { ...base, choices, usage } }
}

function* chunks(base, choices, usage) {
  for (const { index, text } of choices) {
    const words = pieces(text)
    for (const [at, word] of words.entries()) {
      const finish_reason = at === words.length - 1 ? 'stop' : null
      yield { ...base, choices: [{ index, text: word, logprobs: null, finish_reason }] }
    }
  }
  if (usage) yield { ...base, choices: [], usage }
  yield '[DONE]'
}
