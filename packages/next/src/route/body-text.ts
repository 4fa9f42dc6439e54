import { CollectedOutput } from '@svc/tracing/adapters'
import { type StreamOutcome, UiMessageText } from './ui-message-text.ts'

/** Collects the text of a response body, within the bounds of any observation. */
export interface BodyText {
  add(chunk: unknown): void
  readonly output: string | undefined
  readonly outcome?: StreamOutcome | undefined
}

const UI_MESSAGES = 'x-vercel-ai-ui-message-stream'
/** A stream of messages never has this type. */
const JSON_TYPE = 'application/json'
/** Types of bodies that are text. */
export const TEXT = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|x-ndjson|ndjson|jsonl))/i

/** Returns what reads the body of a response; undefined for images, archives and whatever else is no text. */
export function bodyTextOf({ headers, url }: Response): BodyText | undefined {
  // What `fetch` gave is decoded, and its headers are those of the encoded body.
  if (headers.has('content-encoding') && url === '') return undefined
  const type = headers.get('content-type') ?? 'text/plain'
  const collected = new CollectedOutput()
  if (!type.startsWith(JSON_TYPE) && headers.has(UI_MESSAGES)) {
    const messages = new UiMessageText((text) => collected.add(text))
    return {
      add: (chunk) => messages.add(chunk),
      get output() {
        return collected.output
      },
      get outcome() {
        return messages.outcome
      },
    }
  }
  return TEXT.test(type) ? collected : undefined
}
