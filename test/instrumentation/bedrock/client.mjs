import { NodeHttpHandler } from '@smithy/node-http-handler'

/** Nothing is signed, so that requests can be compared; the model server speaks no HTTP/2. */
export function connect(
  { exports: { BedrockRuntimeClient }, url },
  { Client = BedrockRuntimeClient, ...options } = {},
) {
  return new Client({
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'not-to-be-seen', secretAccessKey: 'not-to-be-seen' },
    signer: { sign: async (request) => request },
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler(),
    ...options,
  })
}

/** A client, and a signal that aborts as soon as the request has left. */
export function connectAborting(kit) {
  const controller = new AbortController()
  const requestHandler = new NodeHttpHandler()
  const own = requestHandler.handle.bind(requestHandler)
  requestHandler.handle = (...args) => {
    setImmediate(() => controller.abort())
    return own(...args)
  }
  return { client: connect(kit, { requestHandler }), abortSignal: controller.signal }
}

/** A client that waits for so many milliseconds. */
export function connectPatient(kit, requestTimeout) {
  return connect(kit, { requestHandler: new NodeHttpHandler({ requestTimeout, throwOnRequestTimeout: true }) })
}
