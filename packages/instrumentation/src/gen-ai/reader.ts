import type { Attributes } from '@opentelemetry/api'
import type { StreamAccumulator } from './accumulator.ts'
import type { RequestContent, ResponseContent } from './content.ts'
import { asRecord, type Fields } from './read.ts'

/** Reads the requests and responses of one API protocol. Its functions do without `this`. */
export interface Reader {
  /** `gen_ai.operation.name`; empty for what is no call of a model. */
  readonly name: 'chat' | 'text_completion' | 'generate_content' | 'embeddings' | ''
  /** Returns the attributes of a request that are recorded even without content. */
  readonly readParameters: (body: Fields) => Attributes
  readonly readRequest: (body: Fields) => RequestContent
  readonly readResponse: (response: Fields) => ResponseContent
  /**
   * Creates an accumulator for a streamed response.
   *
   * @param read reads what has arrived, in the shape of a whole response. Default: {@link readResponse}
   */
  createAccumulator(read?: (response: Fields) => ResponseContent): StreamAccumulator
}

/** Translates requests and responses into another protocol, whose reader then reads them. */
export interface Translation {
  translateRequest(body: Fields): Fields
  /** Returns parameters that the other protocol does not have. */
  readExtraParameters?(body: Fields): Attributes
  translateResponse(body: Fields): Fields
  /** Creates a translator for the events of one stream. Default: {@link translateResponse} for every event. */
  createEventTranslator?(): (body: Fields) => Fields
  /** Adjusts a response that was read. Default: unchanged. */
  adjustResponse?(response: ResponseContent): ResponseContent
}

/** Creates a reader for a protocol from the reader of another one. */
export function translateReader(reader: Reader, translation: Translation): Reader {
  const {
    translateRequest,
    translateResponse,
    createEventTranslator = () => translateResponse,
    adjustResponse = (read) => read,
  } = translation
  return {
    name: reader.name,
    readParameters: (body) => ({
      ...reader.readParameters(translateRequest(body)),
      ...translation.readExtraParameters?.(body),
    }),
    readRequest: (body) => reader.readRequest(translateRequest(body)),
    readResponse: (body) => adjustResponse(reader.readResponse(translateResponse(body))),
    createAccumulator() {
      const accumulator = reader.createAccumulator()
      const event = createEventTranslator()
      return {
        add: (item) => accumulator.add(event(asRecord(item))),
        get isComplete() {
          return accumulator.isComplete
        },
        get response() {
          return adjustResponse(accumulator.response)
        },
      }
    },
  }
}

/** Removes messages without parts, such as those of a chunk without text; the finish reasons remain. */
export function withoutEmptyMessages(response: ResponseContent): ResponseContent {
  return { ...response, messages: response.messages?.filter(({ parts }) => parts.length > 0) ?? [] }
}
