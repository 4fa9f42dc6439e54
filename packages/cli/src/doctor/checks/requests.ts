import { randomBytes } from 'node:crypto'
import { HEADER, SDK_SCOPE } from '@svc/core/attributes'
import type { Bytes } from '@svc/core/bytes'
import { httpSender } from '@svc/core/delivery/send-http'
import { bodyText, type HttpResponse } from '@svc/core/http-exchange'
import { keepAlive } from '@svc/core/keep-alive'
import { serviceHeaders } from '@svc/core/service-headers'
import { transportOf } from '@svc/core/transport'
import { VERSION } from '@svc/core/version'
import type { App } from '../app/app.ts'

const LONGEST_S = 60

/** Sends requests to the service of an app like its spans: with the same proxy, certificates, keys and headers. */
export class Requests {
  readonly baseUrl: string
  readonly #app: App
  readonly #sender: NonNullable<ReturnType<typeof httpSender>>

  constructor(app: App, baseUrl: string) {
    this.baseUrl = baseUrl
    this.#app = app
    const sender = httpSender(transportOf(baseUrl, app.variables.env, () => {}))
    if (!sender) throw new Error('there is no node:http')
    this.#sender = sender
  }

  get(path: string): Promise<HttpResponse> {
    return this.#send('GET', path, serviceHeaders(this.#app.service), new Uint8Array())
  }

  /** Sends to the trace endpoint, with the headers of span export. */
  postTraces(body: Bytes, headers: Readonly<Record<string, string>>): Promise<HttpResponse> {
    const own = { [HEADER.INGESTION_VERSION]: String(this.#app.service.ingestionVersion) }
    return this.#send(
      'POST',
      '/api/public/otel/v1/traces',
      { ...serviceHeaders(this.#app.service, own), ...headers },
      body,
    )
  }

  close(): void {
    this.#sender.close()
  }

  #send(method: 'GET' | 'POST', path: string, headers: Readonly<Record<string, string>>, body: Bytes) {
    // A file of the folder may set any time.
    const timeoutMs = Math.min(this.#app.service.timeout, LONGEST_S) * 1_000
    return keepAlive(this.#sender.send({ method, url: this.baseUrl + path, headers, body, timeoutMs }), timeoutMs)
  }
}

/** Returns the JSON object of a response; undefined if it is not one. */
export function jsonOf(response: HttpResponse): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bodyText(response))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Returns a trace with one span, in OTLP/JSON. */
export function testTrace(environment: string | undefined) {
  const traceId = randomBytes(16).toString('hex')
  const now = BigInt(Date.now()) * 1_000_000n
  const span = {
    traceId,
    spanId: randomBytes(8).toString('hex'),
    name: 'svc doctor',
    kind: 1,
    startTimeUnixNano: String(now - 1_000_000n),
    endTimeUnixNano: String(now),
    attributes: environment === undefined ? [] : [attribute('deployment.environment.name', environment)],
  }
  const scope = { name: SDK_SCOPE, version: VERSION }
  const resource = { attributes: [attribute('service.name', 'svc doctor')] }
  const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [span] }] }] })
  return { traceId, body: new TextEncoder().encode(body) }
}

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } })

/**
 * Returns a request without spans, as large as the largest batch: an unknown field, which protobuf readers skip, with
 * incompressible bytes.
 */
export function largestRequest(size: number): Bytes {
  const filling = randomBytes(size)
  const length: number[] = []
  for (let rest = size; rest > 0; rest = Math.floor(rest / 128)) length.push((rest % 128) | (rest >= 128 ? 128 : 0))
  // Field 100, length-delimited.
  return new Uint8Array([...[0xa2, 0x06], ...length, ...filling])
}
