import { isDeepStrictEqual } from 'node:util'
import type { DescribedRequest } from '@svc/instrumentation/describe-request'
import { shownName } from '@svc/local/questions'
import { asText, fieldsIn, type RecordedMessage, readMessages } from './recorded-message.ts'
import { decoded, type RecordedCall } from './recording.ts'

/** How a request is read. The same answer can be streamed or not; the tier is recorded as it was served. */
const NOT_COMPARED = ['stream', 'service_tier']

/** Says in what a request differs first from a recorded call; undefined if in nothing. */
export function differenceOf(recorded: RecordedCall, request: DescribedRequest): string | undefined {
  const { model, parameters } = recorded
  if (model !== undefined && request.model !== undefined && model !== request.model)
    return changed('the model', model, request.model)
  return contentDifference(recorded.input, request.input) ?? parameterDifference(parameters, request.parameters)
}

/** A name that only one of them has may have been recorded otherwise; so may what is no single value: a schema. */
function parameterDifference(recorded: Fields, requested: Fields): string | undefined {
  const isCompared = (name: string) =>
    Object.hasOwn(recorded, name) && typeof decoded(requested[name]) !== 'object' && !NOT_COMPARED.includes(name)
  const name = Object.keys(requested).find(
    (each) => isCompared(each) && asText(recorded[each]) !== asText(requested[each]),
  )
  return name === undefined ? undefined : changed(name, recorded[name], requested[name])
}

function contentDifference(recorded: unknown, requested: unknown): string | undefined {
  const [before, now] = [partsOf(recorded), partsOf(requested)]
  const refers = now.messages.some(({ text }) => REFERENCE.test(text))
  const [those, these] = [before, now].map(({ messages }) => (refers ? messages.filter(isGiven) : messages))
  const length = Math.max(those?.length ?? 0, these?.length ?? 0)
  for (let at = 0; at < length; at += 1) {
    const [one, other] = [those?.[at], these?.[at]]
    if (one?.key === other?.key || isDeepStrictEqual(one?.content, other?.content)) continue
    const what = `message ${at + 1} (${shownName((other ?? one)?.role, 20)})`
    return one?.text === other?.text
      ? changed(what, one?.content, other?.content)
      : changed(what, one?.text, other?.text)
  }
  const areKnown = before.tools && now.tools
  return !areKnown || isDeepStrictEqual(before.tools, now.tools)
    ? undefined
    : changed('the tools', before.tools, now.tools)
}

/** In the place of what the model answered before, in OpenAI's responses: only its id. */
const REFERENCE = /^\{"type":"item_reference"/
const isGiven = ({ role }: Compared): boolean => role !== 'assistant'

type Fields = Readonly<Record<string, unknown>>

interface Parts {
  readonly messages: readonly Compared[]
  readonly tools: unknown
}

/** Each request is compared with many calls. */
const read = new WeakMap<object, Parts>()

/** Messages and tools of an input, whichever form it has. */
function partsOf(input: unknown): Parts {
  if (typeof input !== 'object' || input === null) return readParts(input)
  const parts = read.get(input) ?? readParts(input)
  read.set(input, parts)
  return parts
}

function readParts(input: unknown): Parts {
  const { messages = input, tools } = fieldsIn(input)
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [messages]
  return {
    messages: list.flatMap(readMessages).map(comparedOf),
    tools: Array.isArray(tools) ? tools.map(comparedTool) : undefined,
  }
}

interface Compared extends Pick<RecordedMessage, 'role' | 'text'> {
  /** What is compared. */
  readonly content: object
  /** The same as a text, for speed. */
  readonly key: string
}

/** What a trace has of a part that only its framework knows. */
const TYPE_ALONE = /^\{"type":"[\w-]+"\}$/

/** Ids and thoughts are not compared: some are made up, and some libraries do not send them back. */
function comparedOf({ role, text: recorded, calls }: RecordedMessage): Compared {
  const text = TYPE_ALONE.test(recorded) ? '' : recorded
  const called = calls.map(({ name, arguments: input }) => ({ name, arguments: decoded(input) }))
  const content = { role, text, calls: called }
  return { role, text, content, key: JSON.stringify(content) }
}

function comparedTool(tool: unknown): unknown {
  const { function: called, ...own } = fieldsIn(tool)
  const { name, description } = { ...own, ...fieldsIn(called) } as Fields
  return { name, description }
}

/** Characters of each side. */
const SHOWN = 160

/** Both sides from where they differ. */
function changed(what: string, recorded: unknown, requested: unknown): string {
  const [before, now] = [recorded, requested].map((value) => asText(value ?? 'none')) as [string, string]
  let same = 0
  while (same < before.length && before[same] === now[same]) same += 1
  const start = Math.max(0, same - 40)
  const shown = (text: string) => `"${start > 0 ? '…' : ''}${shownName(text.slice(start), SHOWN)}"`
  return `${what} was ${shown(before)}, is ${shown(now)}`
}
