import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isFields } from '@svc/core/json'
import { withoutEnd } from '@svc/core/without-end'
import { JSON_LIMITS, jsonBody } from '../api/body.ts'
import { parseExactly } from '../exact-json.ts'
import { type Answer, Refusal } from '../http/answer.ts'
import { listOf, name, readFields, record, word } from '../http/fields.ts'
import type { Call } from '../http/router.ts'
import { decoded } from '../json-text.ts'
import type { VendorAccess, VendorName } from '../playground-options.ts'
import type { Service } from '../service.ts'
import type { PlaygroundEvent } from './answer.ts'
import { anthropic } from './anthropic.ts'
import { openai } from './openai.ts'
import { eventsOf, wholeText } from './vendor-events.ts'
import type { PlaygroundRequest, Vendor } from './vendors.ts'

const VENDORS: Readonly<Record<VendorName, Vendor>> = { openai, anthropic }

const FIELDS = {
  vendor: word(['openai', 'anthropic']),
  model: name,
  messages: listOf(record),
  tools: listOf(record),
  parameters: record,
}

/** Milliseconds that a model may take. */
const TIMEOUT_MS = 300_000

/**
 * `POST /viewer/playground`: calls a model with the key of this service's environment, and passes its answer on as it
 * comes, as server-sent events. The call ends when the page leaves. Nothing of it is kept.
 */
export async function callModel(call: Call, { playground }: Service): Promise<Answer> {
  const { vendor: vendorName, ...request } = readFields(await jsonBody(call, JSON_LIMITS, parseExactly), FIELDS)
  const access = playground[vendorName]
  if (!access) throw new Refusal(404, `The playground has no key for ${vendorName}`, 'SvcNotFoundError')
  const vendor = VENDORS[vendorName]
  const startedAt = performance.now()
  const response = await send(vendor, access, request, AbortSignal.any([call.left, AbortSignal.timeout(TIMEOUT_MS)]))
  const events = Readable.from(written(eventsFor(response, vendor, access, startedAt), access.apiKey))
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    // It fails when the page has left.
    stream: (page) => void pipeline(events, page).catch(() => {}),
  }
}

/** @throws Refusal 502 with the reason. */
async function send(
  vendor: Vendor,
  { apiKey, baseUrl = vendor.baseUrl }: VendorAccess,
  request: PlaygroundRequest,
  signal: AbortSignal,
): Promise<Response> {
  const refuse = (reason: string) => new Refusal(502, withoutKey(reason, apiKey), 'Bad Gateway')
  const response = await fetch(withoutEnd(baseUrl, '/') + vendor.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...vendor.headers(apiKey) },
    body: JSON.stringify(vendor.body(request)),
    // The key goes to the address that it is for, and to no other.
    redirect: 'error',
    signal,
  }).catch((error) => {
    throw refuse(`The model cannot be reached: ${explain(error)}`)
  })
  if (response.ok) return response
  const text = await wholeText(response).catch(explain)
  throw refuse(`The model answered ${response.status}: ${messageIn(decoded(text), apiKey)}`)
}

/** Yields what the vendor answers, as the page receives it; last the time that it took, or what went wrong. Never rejects. */
async function* eventsFor(
  response: Response,
  vendor: Vendor,
  { apiKey }: VendorAccess,
  startedAt: number,
): AsyncGenerator<PlaygroundEvent> {
  let finished = false
  try {
    for await (const event of eventsOf(response)) {
      if (isFields(event.error)) return yield { error: `The model failed: ${messageIn(event, apiKey)}` }
      const delta = vendor.read(event)
      finished ||= delta.finished === true
      yield delta
    }
  } catch (error) {
    return yield { error: `The model did not finish its answer: ${explain(error)}` }
  }
  if (!finished) return yield { error: 'The model stopped before the end of its answer' }
  yield { latencyMs: Math.round(performance.now() - startedAt) }
}

async function* written(events: AsyncIterable<PlaygroundEvent>, apiKey: string): AsyncGenerator<string> {
  for await (const event of events) yield `data: ${withoutKey(JSON.stringify(event), apiKey)}\n\n`
}

function explain(error: unknown): string {
  const { name: kind, message, cause } = error as Error
  if (kind === 'TimeoutError') return `it took longer than ${TIMEOUT_MS / 1_000} s`
  return cause instanceof Error ? cause.message : message
}

/** Vendors answer `{error: {message}}`. The key is removed before the text is cut, so that no half of it stays. */
function messageIn(answer: unknown, apiKey: string): string {
  const error = isFields(answer) && isFields(answer.error) ? answer.error.message : answer
  const text = typeof error === 'string' ? error : JSON.stringify(error)
  return withoutKey(text, apiKey).slice(0, 1_000).replaceAll(/\s+/g, ' ')
}

const withoutKey = (text: string, apiKey: string): string => text.replaceAll(apiKey, '(key)')
