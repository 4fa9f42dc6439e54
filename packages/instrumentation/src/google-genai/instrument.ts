import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { Accumulator } from '../calls/accumulator.ts'
import { type Fields, fieldsOf, listOf, nameOf, numberOf, textOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'
import { serverAttributes } from '../calls/server.ts'
import { isMethod } from '../calls/shadow.ts'
import type { Asked, ObservedMethod } from '../methods/method.ts'
import { observing as observingMethods } from '../methods/observed.ts'
import { contentStream } from './content-stream.ts'
import { contentAnswer, parametersOf, questionOf } from './generate.ts'
import { interactionStream } from './interaction-stream.ts'
import { interactionAnswer, interactionParameters, interactionQuestion } from './interactions.ts'

/** What `generateContent`, chats, and each turn of automatic function calling end up in. */
const METHODS: readonly ObservedMethod[] = [
  { name: 'generateContentInternal', operation: 'generate_content', ask, answer: contentAnswer },
  {
    name: 'generateContentStreamInternal',
    operation: 'generate_content',
    ask: (models, args) => ask(models, args, { [GEN_AI.REQUEST_STREAM]: true }),
    answer: contentAnswer,
    listen: () => new Accumulator(contentStream),
  },
  { name: 'embedContentInternal', operation: 'embeddings', ask, answer: embeddingAnswer },
  // The same in the first versions.
  { name: 'embedContent', operation: 'embeddings', ask, answer: embeddingAnswer },
  // The pictures are never recorded, and nothing is counted.
  {
    name: 'generateImagesInternal',
    operation: 'generate_content',
    ask: askForImages,
    answer: () => ({}),
  },
  // Of `client.interactions`.
  {
    name: 'create',
    operation: 'generate_content',
    ask: askForInteraction,
    answer: interactionAnswer,
    listen: () => new Accumulator(interactionStream),
  },
]

/** What observes the calls of `@google/genai`. */
export const observing = observingMethods('@svc/instrumentation-google-genai', METHODS)

function ask(models: Fields, [parameters]: readonly unknown[], more = {}): Asked {
  const asked = fieldsOf(parameters)
  const config = fieldsOf(asked.config)
  return {
    ...whom(fieldsOf(models.apiClient), asked, { ...parametersOf(config), ...more }),
    question: () => questionOf(asked),
    signal: config.abortSignal ?? null,
  }
}

function askForInteraction(interactions: Fields, [parameters]: readonly unknown[]): Asked {
  const asked = fieldsOf(parameters)
  const attributes = interactionParameters(asked)
  return {
    ...whom(fieldsOf(interactions.parentClient), asked, attributes),
    question: () => interactionQuestion(asked),
  }
}

/** Which model is asked, and where. */
function whom(client: Fields, { model }: Fields, attributes: Attributes) {
  const options = fieldsOf(client.clientOptions)
  const vertex = isMethod(client.isVertexAI) && client.isVertexAI() === true
  const { baseUrl } = fieldsOf(options.httpOptions)
  return {
    model: nameOf(model)?.replace(/^(.*\/)?models\//, ''),
    attributes: { ...serverAttributes(client, vertex ? 'gcp.vertex_ai' : 'gcp.gemini', baseUrl), ...attributes },
    secrets: () => [options.apiKey].flatMap((key) => textOf(key) ?? []),
  }
}

function askForImages(models: Fields, args: readonly unknown[]): Asked {
  const { prompt, config } = fieldsOf(args[0])
  const count = numberOf(fieldsOf(config).numberOfImages)
  const more = {
    [GEN_AI.OUTPUT_TYPE]: 'image',
    ...(count === undefined || count === 1 ? {} : { [GEN_AI.REQUEST_CHOICE_COUNT]: count }),
  }
  return { ...ask(models, args, more), question: () => questionOf({ contents: prompt }) }
}

/** The vectors are never recorded. Only Vertex AI counts tokens. */
function embeddingAnswer({ embeddings }: Fields): Answer {
  const counts = listOf(embeddings).flatMap((one) => numberOf(fieldsOf(fieldsOf(one).statistics).tokenCount) ?? [])
  const input = counts.length > 0 ? counts.reduce((sum, count) => sum + count, 0) : undefined
  return { usage: { input, output: undefined } }
}
