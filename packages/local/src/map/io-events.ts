import { GEN_AI } from '@svc/core/attributes'
import type { Attributes, ReceivedSpan, Value } from '../received.ts'
import type { Io } from './io.ts'
import { genAiMessages } from './io-messages.ts'
import { arrayOf, isEmpty, isMap } from './read.ts'

const ROLE_EVENTS = ['system', 'user', 'assistant', 'tool'].map((role) => `${GEN_AI.PREFIX}${role}.message`)
const CHOICE_EVENT = `${GEN_AI.PREFIX}choice`

/** One event that holds all messages: `gen_ai.client.inference.operation.details`. */
export function inferenceEvent(span: ReceivedSpan): Io {
  const event = span.events.find(({ name }) => name === `${GEN_AI.PREFIX}client.inference.operation.details`)
  return event ? { ...genAiMessages(event), used: [] } : { used: [] }
}

/** One event a message: `gen_ai.user.message` and its like are input, `gen_ai.choice` is output. */
export function messageEvents({ events }: ReceivedSpan): Io {
  const messages = events.filter(({ name }) => ROLE_EVENTS.includes(name))
  const choices = events.filter(({ name }) => name === CHOICE_EVENT)
  return {
    input: listed(messages.map(({ name, attributes }) => ({ role: name.split('.')[1] ?? '', ...attributes }))),
    output: single(choices.map(({ attributes }) => ({ ...attributes }))),
    used: [],
  }
}

/** The oldest form: `gen_ai.content.prompt` and `gen_ai.content.completion`, each with one attribute. */
export function contentEvents({ events }: ReceivedSpan): Io {
  const content = (event: string, key: string): Value | undefined =>
    events.find(({ name }) => name === `${GEN_AI.PREFIX}${event}`)?.attributes[`${GEN_AI.PREFIX}${key}`]
  return { input: content('content.prompt', 'prompt'), output: content('content.completion', 'completion'), used: [] }
}

/** Events written as an attribute: JSON text of a list, each with `event.name`. */
export function eventsAttribute({ attributes }: { attributes: Attributes }): Io {
  const events = (arrayOf(attributes.events) ?? []).filter(isMap)
  const isChoice = (event: Record<string, Value>) => event['event.name'] === CHOICE_EVENT
  return {
    input: listed(events.filter((event) => !isChoice(event))),
    output: single(events.filter(isChoice)),
    used: isEmpty(attributes.events) ? [] : ['events'],
  }
}

const listed = (values: Value[]): Value | undefined => (values.length > 0 ? values : undefined)
const single = (values: Value[]): Value | undefined => (values.length > 1 ? values : values[0])
