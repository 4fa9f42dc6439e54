import { createRequire } from 'node:module'
import { standIn } from '../harness/stand-in.mjs'
import { VECTOR } from '../harness/vectors.mjs'

// The stand-in speaks gRPC by what the library itself has for it.
const own = createRequire(createRequire(import.meta.url).resolve('weaviate-3.14'))
const { createServer, ServerError, Status } = own('nice-grpc')
const { WeaviateDefinition } = own('./proto/v1/weaviate.js')
const { HealthDefinition, HealthCheckResponse_ServingStatus: Serving } = own('./proto/google/health/v1/health.js')
const { SearchReply } = own('./proto/v1/search_get.js')

const found = SearchReply.fromPartial({
  results: [
    {
      properties: {
        targetCollection: 'Notes',
        nonRefProps: { fields: { text: { textValue: 'A span is one unit of work.' } } },
      },
      metadata: {
        id: '00000000-0000-4000-8000-000000000001',
        distance: 0.1,
        distancePresent: true,
        vectorBytes: new Uint8Array(new Float32Array(VECTOR).buffer),
      },
    },
  ],
})

async function search({ collection }) {
  if (collection === 'Missing') throw new ServerError(Status.NOT_FOUND, 'no such collection')
  // Who waits for this gives up.
  if (collection === 'Hangs') return new Promise(() => {})
  return found
}

/** Starts both servers of Weaviate, of which only that for gRPC has something to say. */
export async function startWeaviate() {
  const grpc = createServer()
  const rest = standIn(() => ({ body: { version: '1.27.0' } }))
  const unknown = async () => ({})
  const names = Object.keys(WeaviateDefinition.methods)
  grpc.add(WeaviateDefinition, { ...Object.fromEntries(names.map((name) => [name, unknown])), search })
  grpc.add(HealthDefinition, { check: async () => ({ status: Serving.SERVING }), watch: unknown })
  const port = await grpc.listen('127.0.0.1:0')
  return { grpcPort: port, httpPort: Number(new URL((await rest).url).port) }
}
