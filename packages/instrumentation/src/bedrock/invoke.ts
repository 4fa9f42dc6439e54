import type { Listener } from '../calls/call.ts'
import { parsedJson } from '../calls/parts.ts'
import { defined, type Fields, fieldsOf, numberOf, textOf } from '../calls/read.ts'
import type { Answer, Usage } from '../calls/result.ts'
import type { Reader } from '../methods/reader.ts'

/** What Bedrock itself adds to the last event of a stream. */
const METRICS = 'amazon-bedrock-invocationMetrics'

/** A body as it travels: JSON, as a text or as bytes. Anything else is not looked into. */
export function bodyOf(body: unknown): Fields {
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : textOf(body)
  return fieldsOf(parsedJson(text))
}

/**
 * The answer to an `InvokeModelCommand`.
 *
 * @param reader of the model's answers; without one, only what Bedrock says of every model is told
 */
export function invokedAnswer({ body, headers }: Fields, reader: Reader | undefined): Answer {
  const counts = fieldsOf(headers)
  const usage = {
    input: counted(counts['x-amzn-bedrock-input-token-count']),
    output: counted(counts['x-amzn-bedrock-output-token-count']),
  }
  // Vectors are long, and there is nothing else to read.
  if (!reader || (reader.name === 'embeddings' && usage.input !== undefined)) return { usage }
  return withUsage(reader.answer(bodyOf(body)), usage)
}

/**
 * Puts the events of an `InvokeModelWithResponseStreamCommand` together. It merges nothing itself: the reader of the
 * model does, and Bedrock's own counts go below the model's.
 */
export class ChunkListener implements Listener {
  readonly #listener: Listener | undefined
  #metrics: Fields | undefined

  constructor(reader: Reader | undefined) {
    this.#listener = reader?.listen()
  }

  add(item: unknown): boolean {
    const event = bodyOf(fieldsOf(fieldsOf(item).chunk).bytes)
    if (event[METRICS]) this.#metrics = fieldsOf(event[METRICS])
    return this.#listener?.add(event) ?? false
  }

  get complete(): boolean {
    return this.#metrics !== undefined || (this.#listener?.complete ?? false)
  }

  get answer(): Answer {
    const { inputTokenCount, outputTokenCount } = this.#metrics ?? {}
    const usage = { input: numberOf(inputTokenCount), output: numberOf(outputTokenCount) }
    return withUsage(this.#listener?.answer ?? {}, usage)
  }
}

/** The model's own counts, which say more, over Bedrock's. */
function withUsage(answer: Answer, counts: Usage): Answer {
  return { ...answer, usage: { ...counts, ...defined({ ...answer.usage }) } }
}

function counted(header: unknown): number | undefined {
  return header === undefined ? undefined : numberOf(Number(header))
}
