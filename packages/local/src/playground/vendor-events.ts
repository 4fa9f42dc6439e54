import { isFields } from '@svc/core/json'
import { createParser } from 'eventsource-parser'
import { decoded } from '../json-text.ts'
import type { Json } from './vendors.ts'

/** Most bytes that an answer may have. */
const MAX_ANSWER = 16 * 1024 * 1024
/** OpenAI ends a stream with this. */
const DONE = '[DONE]'

/**
 * The events of a streamed answer; of a service that does not stream, its answer as the only one.
 *
 * @throws Error when the answer breaks off, is longer than 16 MiB, or holds anything but JSON objects.
 */
export async function* eventsOf(response: Response): AsyncGenerator<Json> {
  if (!response.headers.get('content-type')?.includes('text/event-stream')) {
    yield objectOf(await wholeText(response))
    return
  }
  const received: string[] = []
  const parser = createParser({ onEvent: ({ data }) => received.push(data) })
  for await (const text of decodeBody(response)) {
    parser.feed(text)
    for (const data of received.splice(0)) if (data !== DONE) yield objectOf(data)
  }
}

/** The text of an answer. @throws Error when it breaks off, or is longer than 16 MiB. */
export async function wholeText(response: Response): Promise<string> {
  const texts: string[] = []
  for await (const text of decodeBody(response)) texts.push(text)
  return texts.join('')
}

async function* decodeBody({ body }: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MAX_ANSWER) throw new Error(`it is longer than ${MAX_ANSWER} bytes`)
    yield decoder.decode(chunk, { stream: true })
  }
}

function objectOf(text: string): Json {
  const value = decoded(text)
  if (isFields(value)) return value
  throw new Error('it holds something that is no JSON object')
}
