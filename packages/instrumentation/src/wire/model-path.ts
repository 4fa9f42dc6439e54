const MODEL_PATH =
  /(?:\/(?:completions|responses|embeddings|v1\/messages|images\/(?:generations|edits)|audio\/(?:speech|trans(?:criptions|lations))|(?:api|v[12])\/(?:chat|generate|embed)|model\/[^/]+\/(?:converse(?:-stream)?|invoke(?:-with-response-stream)?))|:\w{0,9}(?:enerateContent|mbedContents?|awPredict))(?:$|\?)/

/** Whether a request to this path may ask a model something. What it really asks, only its body says. */
export function isModelPath(path: unknown): boolean {
  return typeof path === 'string' && MODEL_PATH.test(path)
}

const CHANNEL_PATH = /\/(?:realtime|responses)(?:$|\?)|BidiGenerateContent|\.PredictionService\//

/** Whether a model may be asked at this path over a WebSocket or by gRPC, whose messages are not seen. */
export function isChannelPath(path: unknown): boolean {
  return typeof path === 'string' && CHANNEL_PATH.test(path)
}
