import { GEN_AI } from '@svc/core/attributes'
import type { ReceivedSpan, Value } from '../../store/received.ts'
import type { Io } from './io.ts'
import { genAiMessages } from './io-messages.ts'
import { arrayOf, isMap } from './read.ts'

const ROLE_EVENTS = ['system', 'user', 'assistant', 'tool'].map((role) => `${GEN_AI.PREFIX}${role}.message`)
const CHOICE_EVENT = `${GEN_AI.PREFIX}choice`

/** The first event `gen_ai.client.inference.operation.details` that has content. */
export function inferenceEvent(span: ReceivedSpan): Io | undefined {
  const events = span.events.filter(({ name }) => name === `${GEN_AI.PREFIX}client.inference.operation.details`)
  return events.map(genAiMessages).find((io) => io !== undefined)
}

/** One event a message: `gen_ai.user.message` and its like are input, `gen_ai.choice` is output. */
export function messageEvents({ events }: ReceivedSpan): Io | undefined {
  const messages = events.filter(({ name }) => ROLE_EVENTS.includes(name))
  const choices = events.filter(({ name }) => name === CHOICE_EVENT)
  return either(
    messages.map(({ name, attributes }) => ({ role: name.split('.')[1] ?? '', ...attributes })),
    choices.map(({ attributes }) => ({ ...attributes })),
  )
}

/** Events written as an attribute: JSON text of a list, each with `event.name`. */
export function eventsAttribute({ attributes }: ReceivedSpan): Io | undefined {
  const events = (arrayOf(attributes.events) ?? []).filter(isMap)
  const isChoice = (event: Record<string, Value>) => event['event.name'] === CHOICE_EVENT
  return either(
    events.filter((event) => !isChoice(event)),
    events.filter(isChoice),
  )
}

function either(messages: Value[], choices: Value[]): Io | undefined {
  if (messages.length === 0 && choices.length === 0) return undefined
  return {
    input: messages.length > 0 ? messages : undefined,
    output: choices.length > 1 ? choices : choices[0],
  }
}
