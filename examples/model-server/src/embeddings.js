import { hash, tokens } from './answer.js'

/** `POST /v1/embeddings` */
export function embeddings(body) {
  const inputs = [body.input ?? ''].flat().map(String)
  const dimensions = Math.min(Math.max(body.dimensions ?? 8, 1), 4_096)
  const data = inputs.map((input, index) => {
    const vector = vectorOf(input, dimensions)
    return { object: 'embedding', index, embedding: body.encoding_format === 'base64' ? base64(vector) : vector }
  })
  const prompt_tokens = inputs.reduce((sum, input) => sum + tokens(input), 0)
  return { json: { object: 'list', data, model: body.model, usage: { prompt_tokens, total_tokens: prompt_tokens } } }
}

/** A unit vector that depends on the text and nothing else. */
export function vectorOf(text, dimensions) {
  const raw = Array.from({ length: dimensions }, (_, at) => (hash(`${at} ${text}`) % 2_000) / 1_000 - 1)
  const length = Math.hypot(...raw) || 1
  return raw.map((value) => value / length)
}

const base64 = (vector) => Buffer.from(new Float32Array(vector).buffer).toString('base64')
