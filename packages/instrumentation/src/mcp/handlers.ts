import { type Attributes, SpanKind, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE, MCP } from '@svc/core/attributes'
import { toMetadataText } from '@svc/core/json'
import { capturesContent } from '../gen-ai/configure.ts'
import { asRecord, asString, type Fields, isMethod, isPromise, type Method } from '../gen-ai/read.ts'
import { likeOriginal } from '../patch/replace-method.ts'
import { runCall } from '../patch/wrap-method.ts'
import { CallSpan } from '../record/call.ts'
import { requestContentAttributes } from '../record/write.ts'
import { SCOPE } from './instrument.ts'
import {
  isRecordedRequest,
  nameOfRequest,
  readParameters,
  readResult,
  readUrlElicitation,
  requestAttributes,
} from './methods.ts'
import { nameTransport, parentOf } from './transport.ts'

/** Wraps `setRequestHandler` of a server or client, whose last argument handles requests. */
export function recordHandlers(original: Method): Method {
  return function (...args) {
    const handler = args.at(-1)
    if (args.length > 1 && isMethod(handler)) args[args.length - 1] = recorded(this, handler, asString(args[0]))
    return original.apply(this, args)
  }
}

/** @param given the method, which version 1 reads from the schema of the request */
function recorded(side: unknown, handler: Method, given: string | undefined): Method {
  const handle: Method = function (...args) {
    const started = attempt('begin a span', () => startHandling(asRecord(side), args, given))
    if (!started) return handler.apply(this, args)
    const { call, method, signal } = started
    const spec = { readResponse: (result: Fields) => readResult(method, result), readError: readUrlElicitation }
    return runCall(call, spec, signal, () => {
      const result = handler.apply(this, args)
      // Which may never settle: nobody tells a server of version 1.0 that a request was cancelled.
      if (isPromise(result)) call.endWithReader(result)
      return result
    })
  }
  return likeOriginal(handle, handler)
}

/** Handlers of methods with a schema get the parameters alone, from version 2 on. */
function startHandling(side: Fields, [request, extra]: readonly unknown[], given: string | undefined) {
  const { mcpReq, signal = asRecord(mcpReq).signal, sessionId, _meta: meta = asRecord(mcpReq)._meta } = asRecord(extra)
  const isWhole = typeof asRecord(request).method === 'string'
  const method = given ?? asString(asRecord(request).method)
  if (method === undefined) return undefined
  const params = isWhole ? asRecord(asRecord(request).params) : asRecord(request)
  const { transport } = side
  const { context, links } = parentOf(asRecord(params._meta ?? meta), transport)
  const span = trace.getSpanContext(context)
  if (!isRecordedRequest(method, span !== undefined && trace.isSpanContextValid(span))) return undefined
  const call = new CallSpan({
    scope: SCOPE,
    name: nameOfRequest(method, params),
    kind: SpanKind.SERVER,
    links,
    context,
    attributes: {
      ...requestAttributes(method, params),
      ...describeSide(side, nameTransport(transport), asString(sessionId)),
    },
  })
  call.signal = signal
  if (call.recording) {
    attempt('follow the cancellation of a request', () => followAbort(call, signal))
    const input = capturesContent() ? readParameters(method, params) : undefined
    if (input !== undefined) {
      attempt('read a request', () => call.setRequest(undefined, requestContentAttributes({ input })))
    }
  }
  return { call, method, signal }
}

/** The result of a request that was cancelled is not sent, and its handler may never return. */
function followAbort(call: CallSpan, signal: unknown): void {
  if (!(signal instanceof AbortSignal)) return
  const cancel = () => call.end('cancelled')
  signal.addEventListener('abort', cancel, { once: true })
  call.onEnd = () => signal.removeEventListener('abort', cancel)
}

function describeSide(side: Fields, transport: string, sessionId: string | undefined): Attributes {
  const ask = (name: string): unknown => {
    const read = side[name]
    return isMethod(read) ? attempt('ask for the other side', () => read.call(side)) : undefined
  }
  const described: Record<string, unknown> = {
    mcp_transport: transport,
    mcp_server: nameOf(side._serverInfo ?? ask('getServerVersion')),
    mcp_client: nameOf(side._clientInfo ?? ask('getClientVersion')),
  }
  const metadata = Object.entries(described).flatMap(([name, value]) =>
    value === undefined ? [] : [[`${ATTRIBUTE.OBSERVATION_METADATA}.${name}`, toMetadataText(value)] as const],
  )
  return Object.fromEntries([...metadata, ...(sessionId === undefined ? [] : [[MCP.SESSION_ID, sessionId] as const])])
}

function nameOf(info: unknown): string | undefined {
  const { name, version } = asRecord(info)
  return typeof name === 'string' ? [name, asString(version) ?? ''].join(' ').trim() : undefined
}
