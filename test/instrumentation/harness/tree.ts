import type { LocalService } from '@svc/local'
import { withoutPlaces } from './plain.ts'

type Observation = ReturnType<LocalService['observations']>[number]

/** An observation and what lies below it. */
export interface RecordedTrace {
  readonly observation: Observation
  readonly below: readonly RecordedTrace[]
}

/** The traces by the case they belong to: the name of their root. */
export function tracesByCase(observations: readonly Observation[]): Record<string, RecordedTrace[]> {
  const roots = observations.filter(({ parentId }) => !observations.some(({ id }) => id === parentId))
  const byCase: Record<string, RecordedTrace[]> = {}
  for (const root of roots) {
    byCase[root.name] ??= []
    byCase[root.name]?.push(traceOf(root, observations))
  }
  return byCase
}

function traceOf(observation: Observation, all: readonly Observation[]): RecordedTrace {
  const below = all.filter(({ parentId }) => parentId === observation.id).map((child) => traceOf(child, all))
  return { observation, below }
}

/** A whole trace as text: one line for each field that was recorded, indented below its parent. */
export function rendered({ observation, below }: RecordedTrace, indent = ''): string {
  const { type, name, level } = observation
  const title = [type, name, ...(level === 'DEFAULT' ? [] : [level])].join(' ')
  const fields = Object.entries(fieldsOf(observation)).map(([field, value]) => `${indent}  ${field}: ${oneLine(value)}`)
  const children = inOrder(below).map((child) => rendered(child, `${indent}    `))
  return [`${indent}${title}`, ...fields, ...children].join('\n')
}

/** What is seen of many calls at once: a line for each. */
export function renderedBriefly({ observation, below }: RecordedTrace): string {
  const line = (child: RecordedTrace): string => {
    const { name, output } = child.observation
    return [name, ...(output ? [oneLine(output)] : []), ...child.below.map(line)].join(' > ')
  }
  return [
    `${observation.type} ${observation.name}`,
    ...below
      .map(line)
      .sort()
      .map((each) => `  ${each}`),
  ].join('\n')
}

/** By their start, and in one millisecond in the order that the program started them in (`app.mjs`): they arrive in any. */
function inOrder(below: readonly RecordedTrace[]): RecordedTrace[] {
  const began = ({ observation }: RecordedTrace) => Date.parse(observation.startTime)
  return [...below].sort((one, other) => began(one) - began(other) || startOf(one) - startOf(other))
}

function startOf({ observation: { metadata } }: RecordedTrace): number {
  const { attributes } = metadata as { attributes?: Record<string, unknown> }
  return Number(attributes?.['svc.internal.started'] ?? 0)
}

function fieldsOf(observation: Observation): Record<string, unknown> {
  const { statusMessage, model, modelParameters, input, output, usage, cost, metadata, sessionId, userId } = observation
  const { attributes, resourceAttributes: _, scope, ...own } = metadata as Record<string, unknown>
  const fields = {
    scope: (scope as { name?: unknown } | undefined)?.name,
    'status message': statusMessage,
    model,
    'model parameters': modelParameters,
    input,
    output,
    'tool definitions': observation.toolDefinitions.map(definitionLine).join(', '),
    'tool calls': observation.toolCalls.map(callLine).join(', '),
    ...(observation.type === 'GENERATION' ? chatLines(observation) : {}),
    'first token': observation.completionStartTime === null ? null : 'known',
    usage,
    // What failed or was cancelled without an answer is free: `record/write.test.ts`.
    cost: Object(cost).total === 0 ? undefined : cost,
    session: sessionId,
    user: userId,
    ...Object.fromEntries(Object.entries(own).map(shown)),
    ...attributesOf(attributes),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))
}

function definitionLine({ name, ...rest }: Observation['toolDefinitions'][number]): string {
  return `${name} (${Object.keys(rest).join(', ')})`
}

function callLine({ id, name, arguments: input }: Observation['toolCalls'][number]): string {
  return `${name} ${id ?? 'without id'} ${input ?? ''}`
}

/** What the formatted view of the service shows of a generation. */
function chatLines({ input, output, chat }: Observation): Record<string, string> {
  return {
    ...(input === null ? {} : { 'chat input': halfLine(chat.input) }),
    ...(output === null ? {} : { 'chat output': halfLine(chat.output) }),
  }
}

function halfLine(half: Observation['chat']['input']): string {
  if (!half) return 'NO CHAT'
  const messages = half.messages.map(({ role, content, calls, answers, thinking, collapsed }) =>
    [
      role || '?',
      ...(content === 'table' ? ['TABLE'] : content === 'text' || calls.length > 0 || thinking ? [] : ['BLANK']),
      ...(thinking ? ['thinking'] : []),
      ...(calls.length > 0 ? [`calling ${calls.join(' ')}`] : []),
      ...(answers === undefined ? [] : [`answering ${answers}`]),
      ...(collapsed.length > 0 ? [`COLLAPSED ${collapsed.join(' ')}`] : []),
    ].join(' '),
  )
  return [messages.join(', '), ...(half.tools.length > 0 ? [`tools ${half.tools.join(' ')}`] : [])].join('; ')
}

/** Values with a time, a place or a random id in them are there or not. */
const DIFFERS = new RegExp(
  [
    /^(server\.port|approval_ids|gen_ai\.response\.time_to_first_chunk|svc\.observation\.completion_start_time)$/,
    /^(gen_ai\.client\.operation\.\w+|gen_ai\.execute_tool\.duration|ai\.response\.(id|timestamp|avg\w+|ms\w+)|ai\.stream\.ms\w+)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
)
/** What other fields of an observation show already. */
const SHOWN = /^(svc\.internal\.|svc\.observation\.|gen_ai\.usage\.)/

const shown = ([name, value]: [string, unknown]) => [name, DIFFERS.test(name) ? 'known' : value]

function attributesOf(attributes: unknown): Record<string, unknown> {
  const entries = Object.entries((attributes ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    entries
      .filter(([name]) => !SHOWN.test(name))
      .map(shown)
      .sort(),
  )
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function oneLine(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return withoutPlaces(text.replaceAll('\n', '\\n'))
}
