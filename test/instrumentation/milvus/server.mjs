import { createRequire } from 'node:module'
import { promisify } from 'node:util'

// The stand-in speaks gRPC by what the library itself has for it.
const own = createRequire(createRequire(import.meta.url).resolve('milvus-3'))
const { Server, ServerCredentials, loadPackageDefinition } = own('@grpc/grpc-js')
const { fromJSON } = own('@grpc/proto-loader')
const definition = fromJSON(own('./proto-json/milvus.js').default, { keepCase: true, longs: String, enums: String })
const { MilvusService } = loadPackageDefinition(definition).milvus.proto.milvus

const ok = { error_code: 'Success', reason: '', code: 0 }
const missing = { error_code: 'CollectionNotExists', reason: 'no such collection', code: 100 }
const fields = [
  { fieldID: 1, name: 'id', is_primary_key: true, data_type: 'Int64' },
  { fieldID: 2, name: 'vector', data_type: 'FloatVector', type_params: [{ key: 'dim', value: '384' }] },
  { fieldID: 3, name: 'text', data_type: 'VarChar' },
]
const found = {
  num_queries: 1,
  top_k: 1,
  scores: [0.5],
  topks: [1],
  ids: { int_id: { data: [1] } },
  output_fields: ['id', 'text'],
  fields_data: [
    { type: 'Int64', field_name: 'id', scalars: { long_data: { data: [1] } } },
    { type: 'VarChar', field_name: 'text', scalars: { string_data: { data: ['A span is one unit of work.'] } } },
  ],
}

const HANDLERS = {
  Connect: () => ({ status: ok, identifier: '1', server_info: {} }),
  GetVersion: () => ({ status: ok, version: '2.4.0' }),
  DescribeCollection: () => ({ status: ok, schema: { name: 'notes', fields } }),
  Search: ({ collection_name: name }) => (name === 'missing' ? { status: missing } : { status: ok, results: found }),
  HybridSearch: () => ({ status: ok, results: found }),
}

/** Starts a server, and gives its address. */
export async function startMilvus() {
  const server = new Server()
  const handled = ([name, answer]) => [name, ({ request }, reply) => reply(null, answer(request))]
  server.addService(MilvusService.service, Object.fromEntries(Object.entries(HANDLERS).map(handled)))
  const port = await promisify(server.bindAsync).call(server, '127.0.0.1:0', ServerCredentials.createInsecure())
  return `127.0.0.1:${port}`
}
