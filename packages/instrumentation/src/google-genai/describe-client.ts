import type { Attributes } from '@opentelemetry/api'
import { asName, asRecord, asString, type Fields, isMethod } from '../gen-ai/read.ts'
import { serverAttributes } from '../gen-ai/server.ts'

/** Returns the model, the server attributes and the secrets of a client. */
export function describeClient(client: Fields, { model }: Fields, attributes: Attributes) {
  const options = asRecord(client.clientOptions)
  const vertex = isMethod(client.isVertexAI) && client.isVertexAI() === true
  return {
    model: asName(model)?.replace(/^(.*\/)?models\//, ''),
    attributes: {
      ...serverAttributes(client, vertex ? 'gcp.vertex_ai' : 'gcp.gemini', baseUrlOf(client)),
      ...attributes,
    },
    secrets: () => [options.apiKey].flatMap((key) => asString(key) ?? []),
  }
}

export function baseUrlOf({ clientOptions }: Fields): string | undefined {
  return asString(asRecord(asRecord(clientOptions).httpOptions).baseUrl)
}
