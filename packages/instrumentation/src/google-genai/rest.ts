import { Accumulator } from '../gen-ai/accumulator.ts'
import { asArray, asRecord, type Fields } from '../gen-ai/read.ts'
import type { Reader } from '../gen-ai/reader.ts'
import { asEmbeddingInput } from '../gen-ai/text-input.ts'
import { withLibraryNames } from '../gen-ai/wire.ts'
import { contentStream } from './content-stream.ts'
import { readContentResponse, readParameters, readRequest } from './generate.ts'

// The REST API of Gemini and Vertex AI. The library has the same fields in other places.

/** `:generateContent` and `:streamGenerateContent` */
export const generateContent: Reader = {
  name: 'generate_content',
  readParameters: (body) => readParameters(configOf(body)),
  readRequest: (body) => readRequest({ contents: body.contents, config: configOf(body) }),
  readResponse: readContentResponse,
  createAccumulator: () => new Accumulator(contentStream),
}

/** `:embedContent` and `:batchEmbedContents`. Vectors are not read, and tokens are not counted. */
export const embedContent: Reader = {
  ...generateContent,
  name: 'embeddings',
  readParameters: (body) => readParameters(embeddingRequests(body)[0] ?? {}),
  readRequest: (body) =>
    asEmbeddingInput(readRequest({ contents: embeddingRequests(body).map(({ content }) => content) })),
  readResponse: () => ({}),
}

/** The API takes the names of its examples, `generation_config`, as those of the library. */
function configOf({ contents: _, tools, ...body }: Fields): Fields {
  const { generationConfig, systemInstruction, toolConfig, cachedContent, serviceTier } = withLibraryNames(body)
  return { ...asRecord(generationConfig), systemInstruction, tools, toolConfig, cachedContent, serviceTier }
}

function embeddingRequests({ requests, ...body }: Fields): readonly Fields[] {
  return requests === undefined ? [body] : asArray(requests).map(asRecord)
}
