import type { StreamAccumulator } from '../gen-ai/accumulator.ts'
import type { ResponseContent, Usage } from '../gen-ai/content.ts'
import { parseJson } from '../gen-ai/parts.ts'
import { asNumber, asRecord, asString, defined, type Fields } from '../gen-ai/read.ts'
import type { Reader } from '../gen-ai/reader.ts'
import { findReader } from './families.ts'
import { readIntervention } from './messages.ts'

/** The field that Bedrock adds to the last event of a stream. */
const METRICS = 'amazon-bedrock-invocationMetrics'
/** The field that Bedrock adds to what a guardrail has looked at. */
const GUARDRAIL = 'amazon-bedrock-guardrailAction'
const INPUT_COUNT = 'x-amzn-bedrock-input-token-count'
const OUTPUT_COUNT = 'x-amzn-bedrock-output-token-count'

/** Reads a JSON body: a text, bytes, or fields that were read already. */
export function readInvokeBody(body: unknown): Fields {
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : asString(body)
  return asRecord(text === undefined ? body : parseJson(text))
}

/** Returns the reader of a request, by the model and its body, as {@link asInvokeOutput} has the response. */
export function findInvokeReader(model: string, request: Fields): Reader | undefined {
  const reader = findReader(model, request)
  return (
    reader && {
      ...reader,
      readResponse: (output) => readInvokeResponse(output, reader),
      createAccumulator: () => new InvokeStreamAccumulator(reader),
    }
  )
}

/** Returns a response as the SDK does: the body beside the headers. */
export function asInvokeOutput(body: Fields, header: (name: string) => string | undefined): Fields {
  return { body, headers: { [INPUT_COUNT]: header(INPUT_COUNT), [OUTPUT_COUNT]: header(OUTPUT_COUNT) } }
}

/**
 * Reads the response to an `InvokeModelCommand`.
 *
 * @param reader of the model's protocol; without one, only Bedrock's own counts are read
 */
export function readInvokeResponse({ body, headers }: Fields, reader: Reader | undefined): ResponseContent {
  const counts = asRecord(headers)
  const usage = {
    input: readCount(counts[INPUT_COUNT]),
    output: readCount(counts[OUTPUT_COUNT]),
  }
  // Vectors are long, and the body contains nothing else.
  if (!reader || (reader.name === 'embeddings' && usage.input !== undefined)) return { usage }
  const answer = readInvokeBody(body)
  return mergeUsage(withGuardrail(reader.readResponse(answer), answer[GUARDRAIL]), usage)
}

/**
 * Accumulates the events of an `InvokeModelWithResponseStreamCommand` with the accumulator of the model's protocol, and
 * adds Bedrock's token counts.
 */
export class InvokeStreamAccumulator implements StreamAccumulator {
  readonly #accumulator: StreamAccumulator | undefined
  #metrics: Fields | undefined
  #guardrail: unknown

  constructor(reader: Reader | undefined) {
    this.#accumulator = reader?.createAccumulator()
  }

  add(item: unknown): boolean {
    const event = readInvokeBody(asRecord(asRecord(item).chunk).bytes)
    if (event[METRICS]) this.#metrics = asRecord(event[METRICS])
    if (readIntervention(event[GUARDRAIL])) this.#guardrail = event[GUARDRAIL]
    return this.#accumulator?.add(event) ?? false
  }

  get isComplete(): boolean {
    return this.#metrics !== undefined || (this.#accumulator?.isComplete ?? false)
  }

  get response(): ResponseContent {
    const { inputTokenCount, outputTokenCount } = this.#metrics ?? {}
    const usage = { input: asNumber(inputTokenCount), output: asNumber(outputTokenCount) }
    return mergeUsage(withGuardrail(this.#accumulator?.response ?? {}, this.#guardrail), usage)
  }
}

/** Adds that a guardrail intervened to the reasons why the model stopped, which do not show it. */
function withGuardrail(response: ResponseContent, action: unknown): ResponseContent {
  const reason = readIntervention(action)
  return reason ? { ...response, finishReasons: [...(response.finishReasons ?? []), reason] } : response
}

/** Merges token counts: the model's own, which are more detailed, over Bedrock's. */
function mergeUsage(response: ResponseContent, counts: Usage): ResponseContent {
  return { ...response, usage: { ...counts, ...defined({ ...response.usage }) } }
}

function readCount(header: unknown): number | undefined {
  return header === undefined ? undefined : asNumber(Number(header))
}
