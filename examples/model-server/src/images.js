/** One pixel, transparent. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** `POST /v1/images/generations` and `/edits` */
export function images(body) {
  const data = Array.from({ length: Math.min(Number(body.n ?? 1), 8) }, () => ({ b64_json: PIXEL }))
  const usage = { input_tokens: 8, output_tokens: 16, total_tokens: 24, input_tokens_details: { text_tokens: 8 } }
  if (String(body.stream) === 'true') return { events: eventsOf(usage) }
  return { json: { created: Math.floor(Date.now() / 1_000), data, usage } }
}

function* eventsOf(usage) {
  const picture = { b64_json: PIXEL, output_format: 'png', size: '1024x1024' }
  yield { type: 'image_generation.partial_image', partial_image_index: 0, ...picture }
  yield { type: 'image_generation.completed', ...picture, usage }
}
