import { ANSWER, CHUNKS, replies } from './said.mjs'

const usageMetadata = { promptTokenCount: 1_000, candidatesTokenCount: 500, totalTokenCount: 1_500 }
const chunk = (text, finishReason) => {
  const candidates = [{ content: { role: 'model', parts: [{ text }] }, finishReason, index: 0 }]
  return { candidates, usageMetadata, modelVersion: 'gemini-test', responseId: 'r-1' }
}

/** The generated contents of Gemini. */
export const content = replies(
  chunk(ANSWER, 'STOP'),
  CHUNKS.map((text, index) => chunk(text, index === CHUNKS.length - 1 ? 'STOP' : undefined)),
)
