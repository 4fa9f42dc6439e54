import type { Span } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import type { SpanWatcher } from '@svc/core/registry'

/** Of the process: whoever watches wants to know of all that is recorded in it. */
const watchers = new Set<SpanWatcher>()

/** Has `watcher` told of every recorded span. */
export function watch(watcher: SpanWatcher): void {
  watchers.add(watcher)
}

/** Says that a span has started. */
export function started(span: Span): void {
  for (const watcher of watchers) attempt('tell of a span', () => watcher.started(span))
}

/** Says that a span has ended. */
export function ended(span: Span): void {
  for (const watcher of watchers) attempt('tell of a span', () => watcher.ended(span))
}
