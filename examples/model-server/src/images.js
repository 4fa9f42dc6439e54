/** One pixel, transparent. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** `POST /v1/images/generations` and `/edits` */
export function images(body) {
  const data = Array.from({ length: Math.min(Number(body.n ?? 1), 8) }, () => ({ b64_json: PIXEL }))
  const usage = { input_tokens: 8, output_tokens: 16, total_tokens: 24, input_tokens_details: { text_tokens: 8 } }
  return { json: { created: Math.floor(Date.now() / 1_000), data, usage } }
}
