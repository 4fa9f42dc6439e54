import { answerTo, isReasoning, pieces, REASONING_TOKENS, tokens } from './answer.js'
import { vectorOf } from './embeddings.js'
import { listOfObjects } from './http.js'
import { PIXEL } from './images.js'

/** `POST /v1beta/models/<model>:generateContent` and `:streamGenerateContent` */
export function generateContent(body, serial) {
  const contents = listOfObjects(body.contents, 'contents')
  if (/blocked$/.test(body.model)) {
    const promptTokenCount = tokens(JSON.stringify(body.contents))
    const usageMetadata = { promptTokenCount, totalTokenCount: promptTokenCount }
    const modelVersion = `${body.model}-001`
    const none = {
      promptFeedback: { blockReason: 'SAFETY' },
      usageMetadata,
      modelVersion,
      responseId: `gemini-${serial}`,
    }
    return body.stream ? { events: [none] } : { json: none }
  }
  const { parts, end } = partsOf(body, contents)
  const answer = {
    candidates: [{ content: { role: 'model', parts }, finishReason: FINISHES[end] ?? 'STOP', index: 0 }],
    usageMetadata: usageOf(body, parts),
    modelVersion: `${body.model}-001`,
    responseId: `gemini-${serial}`,
  }
  return body.stream ? { events: chunks(answer) } : { json: answer }
}

const FINISHES = { truncated: 'MAX_TOKENS', filtered: 'SAFETY' }

/** `POST /v1beta/models/<model>:batchEmbedContents` */
export function embedContents(body) {
  const requests = listOfObjects(body.requests, 'requests')
  const texts = requests.map(({ content }) => textIn([content]))
  return { json: { embeddings: texts.map((text) => ({ values: vectorOf(text, 8) })) } }
}

/** `POST /v1beta/models/<model>:embedContent` */
export function embedContent(body) {
  return { json: { embedding: { values: vectorOf(textIn([body.content]), 8) } } }
}

/** `POST /v1beta/models/<model>:predict`: pictures. */
export function predict(body) {
  const count = Math.min(body.parameters?.sampleCount ?? 1, 8)
  return {
    json: { predictions: Array.from({ length: count }, () => ({ mimeType: 'image/png', bytesBase64Encoded: PIXEL })) },
  }
}

const STATUS = { 400: 'INVALID_ARGUMENT', 401: 'UNAUTHENTICATED', 404: 'NOT_FOUND', 429: 'RESOURCE_EXHAUSTED' }

export function refusal({ status, message }) {
  return { error: { code: status, message, status: STATUS[status] ?? 'INTERNAL' } }
}

function partsOf(body, contents) {
  const last = contents.at(-1)
  const results = last.parts.flatMap(({ functionResponse }) => functionResponse?.response ?? [])
  const asked = contents.findLast(({ role, parts }) => role !== 'model' && parts.some(({ text }) => text))
  const { text, calls, end } = answerTo({
    model: body.model,
    prompt: textIn([asked]),
    lastRole: results.length > 0 ? 'tool' : 'user',
    results: results.map((result) => result.output ?? JSON.stringify(result)),
    tools: (body.tools ?? [])
      .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
      .map(({ name, parameters, parametersJsonSchema }) => ({ name, parameters: parametersJsonSchema ?? parameters })),
    schema: lowered(body.generationConfig?.responseJsonSchema ?? body.generationConfig?.responseSchema),
  })
  const thought = { thought: true, text: 'The user wants a short answer.' }
  const parts = [
    ...(body.generationConfig?.thinkingConfig?.includeThoughts ? [thought] : []),
    ...(text ? [{ text }] : []),
    ...calls.map(({ name, arguments: args }) => ({ functionCall: { name, args: JSON.parse(args) } })),
  ]
  return { parts, end }
}

/** The types of a schema may be in capitals here. */
function lowered(schema) {
  return schema && JSON.parse(JSON.stringify(schema, (key, value) => (key === 'type' ? lower(value) : value)))
}

const lower = (value) => (typeof value === 'string' ? value.toLowerCase() : value)

const textIn = (contents) =>
  contents
    .flatMap((content) => content?.parts ?? [])
    .map(({ text = '' }) => text)
    .join('')

/** Thoughts are counted beside what was said. */
function usageOf(body, parts) {
  const promptTokenCount = tokens(JSON.stringify(body.contents))
  const thoughts = isReasoning(body.model) || parts.some(({ thought }) => thought) ? REASONING_TOKENS : 0
  const candidatesTokenCount = tokens(JSON.stringify(parts.filter(({ thought }) => !thought)))
  return {
    promptTokenCount,
    candidatesTokenCount,
    totalTokenCount: promptTokenCount + candidatesTokenCount + thoughts,
    cachedContentTokenCount: Math.floor(promptTokenCount / 2),
    ...(thoughts ? { thoughtsTokenCount: thoughts } : {}),
  }
}

function* chunks({ candidates: [candidate], usageMetadata, ...answer }) {
  const { promptTokenCount } = usageMetadata
  const all = candidate.content.parts.flatMap((part) => pieced(part))
  for (const [index, part] of all.entries()) {
    const last = index === all.length - 1
    const content = { role: 'model', parts: [part] }
    const said = last ? { ...candidate, content } : { content, index: 0 }
    yield { candidates: [said], usageMetadata: last ? usageMetadata : { promptTokenCount }, ...answer }
  }
}

/** Function calls arrive whole. */
function pieced(part) {
  return part.text ? pieces(part.text).map((text) => ({ ...part, text })) : [part]
}
