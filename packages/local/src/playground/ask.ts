import { jsonBody, listOf, name, readFields, record, word } from '../api/body.ts'
import { type Answer, json, Refusal } from '../http/answer.ts'
import type { Call } from '../http/router.ts'
import { decoded } from '../json-text.ts'
import type { VendorAccess, VendorName } from '../playground-options.ts'
import type { Service } from '../service.ts'
import { anthropic } from './anthropic.ts'
import { openai } from './openai.ts'
import { isJson, type Json, type Vendor } from './vendors.ts'

/** What the page asks a model: messages and tools as it shows them. */
export interface Fields {
  readonly model: string
  readonly messages: readonly Json[]
  readonly tools: readonly Json[]
  /** As the vendor calls them: `temperature`, `max_tokens`. */
  readonly parameters: Json
}

/** What the playground answers. */
export interface PlaygroundAnswer {
  /** As the page shows messages. */
  readonly message: object
  /** As the vendor counts. */
  readonly usage: unknown
  /** The model that answered, as the vendor calls it. */
  readonly model: unknown
  readonly latencyMs: number
}

const VENDORS: Readonly<Record<VendorName, Vendor>> = { openai, anthropic }

const FIELDS = {
  vendor: word(['openai', 'anthropic']),
  model: name,
  messages: listOf(record),
  tools: listOf(record),
  parameters: record,
}

/** How long a model may take, and how much it may say. */
const PATIENCE_MS = 300_000
const MAX_ANSWER = 16 * 1024 * 1024

/** `POST /viewer/playground`: calls a model with the key of this service's environment. Nothing of it is kept. */
export async function askModel(call: Call, { playground }: Service): Promise<Answer> {
  const { vendor, ...fields } = readFields(await jsonBody(call), FIELDS)
  const access = playground[vendor]
  if (!access) throw new Refusal(404, `The playground has no key for ${vendor}`, 'SvcNotFoundError')
  const { stream: _, ...parameters } = fields.parameters
  const startedAt = performance.now()
  const answer = await send(VENDORS[vendor], access, { ...fields, parameters })
  return json(200, {
    message: VENDORS[vendor].message(answer),
    usage: answer.usage ?? null,
    model: answer.model ?? null,
    latencyMs: Math.round(performance.now() - startedAt),
  } satisfies PlaygroundAnswer)
}

/** @throws Refusal 502 that says what the vendor did. */
async function send(vendor: Vendor, { apiKey, baseUrl = vendor.baseUrl }: VendorAccess, fields: Fields): Promise<Json> {
  const refuse = (reason: string) => new Refusal(502, withoutKey(reason, apiKey), 'Bad Gateway')
  const response = await fetch(baseUrl.replace(/\/+$/, '') + vendor.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...vendor.headers(apiKey) },
    body: JSON.stringify(vendor.body(fields)),
    // The key goes to the address that it is for, and to no other.
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((error) => {
    throw refuse(`The model cannot be reached: ${reasonOf(error)}`)
  })
  const text = await textWithin(response, MAX_ANSWER).catch((error) => {
    throw refuse(`The model did not finish its answer: ${reasonOf(error)}`)
  })
  const answer = decoded(text)
  if (!response.ok) throw refuse(`The model answered ${response.status}: ${messageIn(answer)}`)
  if (!isJson(answer)) throw refuse('The model answered no JSON object')
  return answer
}

async function textWithin(response: Response, max: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > max) throw new Error(`it is longer than ${max} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message : message
}

/** Vendors say `{error: {message}}`. */
function messageIn(answer: unknown): string {
  const error = isJson(answer) && isJson(answer.error) ? answer.error.message : answer
  return (typeof error === 'string' ? error : JSON.stringify(error)).slice(0, 1_000)
}

const withoutKey = (text: string, apiKey: string): string => text.replaceAll(apiKey, '(key)')
