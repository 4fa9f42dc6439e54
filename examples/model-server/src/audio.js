import { pieces, tokens } from './answer.js'

const HEARD = 'Measure twice, cut once.'

/** `POST /v1/audio/transcriptions` and `/translations`: every sound says the same. */
export function transcriptions(body) {
  const usage = { type: 'tokens', input_tokens: 14, output_tokens: tokens(HEARD), total_tokens: 14 + tokens(HEARD) }
  if (body.stream === 'true') return { events: eventsOf(usage) }
  if (body.response_format === 'text') return { text: `${HEARD}\n` }
  return { json: { text: HEARD, usage } }
}

/** `POST /v1/audio/speech`: a sound of one byte for each character. */
export function speech(body) {
  return { bytes: Buffer.alloc(body.input.length, 7), type: 'audio/mpeg' }
}

function* eventsOf(usage) {
  for (const delta of pieces(HEARD)) yield { type: 'transcript.text.delta', delta }
  yield { type: 'transcript.text.done', text: HEARD, usage }
}
