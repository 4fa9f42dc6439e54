const MODEL_PATH =
  /(?:\/(?:completions|responses|embeddings|v1\/messages|(?:api|v[12])\/(?:chat|generate|embed)|converse(?:-stream)?)|:(?:generateContent|streamGenerateContent|embedContent|batchEmbedContents|rawPredict|streamRawPredict))(?:$|\?)/

/** Whether a request to this path may ask a model something. What it really asks, only its body says. */
export function isModelPath(path: unknown): boolean {
  return typeof path === 'string' && MODEL_PATH.test(path)
}
