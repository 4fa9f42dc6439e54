import { hash } from 'node:crypto'
import { trace } from '@svc/core/api'
import { getRuntime, type Runtime } from '@svc/core/registry'

/** A place in a trace: a step for each span up to the root. */
export type TreePlace = ReadonlySet<string>

/**
 * Returns a step: a span by its name, and by how many of its siblings with that name had started before.
 */
export const stepOf = (name: string, nth: number): string => hash('sha1', `${nth} ${name}`).slice(0, LENGTH)

const LENGTH = 8

/** How many steps two places have in common. Processes that a process starts have roots of their own. */
export const nearness = (one: TreePlace, other: TreePlace): number => [...one].filter((step) => other.has(step)).length

export const readPlace = (text: string): TreePlace => new Set(text.match(new RegExp(`.{${LENGTH}}`, 'g')))

/** A span that was started in this process. */
interface Started {
  name: string
  /** While it is open, for a name can change. */
  span: NamedSpan | undefined
  readonly parent: Started | undefined
  readonly nth: number
  readonly children: Map<string, number>
}

/** As those of the SDK. */
export interface NamedSpan {
  readonly spanContext: unknown
  readonly name?: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly parentSpanContext?: { readonly spanId: string }
}

/** The name that a trace has of a span: of a tool, its own. */
export const recordedName = ({ name = '', attributes }: NamedSpan): string =>
  String(attributes?.['ai.toolCall.name'] ?? name.replace(/^execute_tool /, ''))

const started = new Map<string, Started>()
/** Spans that are remembered: their children may start after their ends. */
const LIMIT = 10_000
const DEEPEST = 100

/** The pipeline whose spans are remembered: twice, they would count as siblings of themselves. */
let watched: Runtime | undefined

/** Remembers the spans that the preload records in this process from now on. Called after it has been loaded. */
export function watchPlaces(): void {
  const runtime = getRuntime()
  if (runtime === watched) return
  watched = runtime
  runtime?.watch?.({
    started(opened) {
      const span: NamedSpan = opened
      const { parentSpanContext } = span
      const name = recordedName(span)
      const parent = parentSpanContext && started.get(parentSpanContext.spanId)
      const nth = parent?.children.get(name) ?? 0
      parent?.children.set(name, nth + 1)
      started.set(opened.spanContext().spanId, { name, span, parent, nth, children: new Map() })
      if (started.size > LIMIT) started.delete(started.keys().next().value as string)
    },
    ended(span) {
      const known = started.get(span.spanContext().spanId)
      if (!known) return
      known.name = nameOf(known)
      known.span = undefined
    },
  })
}

const nameOf = ({ span, name }: Started): string => (span ? recordedName(span) : name)

/** Returns the place of the active span as the text that {@link readPlace} reads; an empty one where nothing is recorded. */
export function activePlace(): string {
  const steps: string[] = []
  let at = started.get(trace.getActiveSpan()?.spanContext().spanId ?? '')
  for (; at && steps.length < DEEPEST; at = at.parent) steps.push(stepOf(nameOf(at), at.nth))
  return steps.join('')
}
