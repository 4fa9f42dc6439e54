import { GEN_AI } from '@svc/core/attributes'
import { asName, asRecord, asString, type Fields } from '../gen-ai/read.ts'
import type { Reader } from '../gen-ai/reader.ts'
import { serverAttributes } from '../gen-ai/server.ts'
import type { MethodSpec } from './method-spec.ts'

/** Reads what a library's clients hold besides the request. */
export interface ClientSpec {
  /** `gen_ai.provider.name`, unless the server's address implies another one. */
  readonly provider: string
  /** Returns the address of the server. Default: unknown. */
  readAddress?(client: Fields, request: Fields): unknown
  /** Returns API keys. Omit it if there are none: a call that can read them keeps its client alive. */
  readSecrets?(client: Fields, request: Fields): readonly unknown[]
  /** Returns the abort signal. Omit it if the library accepts none. */
  readSignal?(requestOptions: Fields, request: Fields): unknown
  /** Returns the request. Default: the first argument. */
  readBody?(request: Fields): Fields
  /** Returns the model. Default: the field `model`. */
  readModel?(request: Fields): unknown
}

export type ReaderMethodOptions = Partial<Pick<MethodSpec, 'operation' | 'isLazy'>> & {
  /** Whether the method always or never streams. Default: the request decides. */
  readonly streams?: boolean
}

/** Creates a spec for a method that takes a request and options, with a reader for its protocol. */
export function createMethodSpec(
  client: ClientSpec,
  name: string,
  reader: Reader,
  options: ReaderMethodOptions = {},
): MethodSpec {
  const { streams, operation = reader.name, ...more } = options
  const { readBody = (request) => request, readModel = (request) => request.model, readSecrets } = client
  return {
    name,
    operation,
    describeRequest(owner, [firstArgument, requestOptions]) {
      const request = readBody(asRecord(firstArgument))
      const signal = client.readSignal?.(asRecord(requestOptions), request) ?? null
      const attributes = {
        ...serverAttributes(owner, client.provider, asUrl(client.readAddress?.(owner, request))),
        ...reader.readParameters(request),
      }
      if (streams) attributes[GEN_AI.REQUEST_STREAM] = true
      return {
        model: asName(readModel(request)),
        attributes,
        readContent: () => reader.readRequest(request),
        ...(client.readSignal ? { signal } : {}),
        ...(readSecrets ? { secrets: () => readSecrets(owner, request).flatMap((key) => asString(key) ?? []) } : {}),
      }
    },
    readResponse: reader.readResponse,
    ...(streams === false ? {} : { createAccumulator: reader.createAccumulator }),
    ...more,
  }
}

/** Some libraries hold the address as a `URL` object. */
function asUrl(address: unknown): string | undefined {
  return address === undefined || address === null || address === '' ? undefined : String(address)
}
