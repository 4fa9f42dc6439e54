import type { Span } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import type { SpanWatcher } from '@svc/core/registry'

/** Shared by the process: a watcher receives all spans recorded in it. Mostly there are none. */
export const watchers = new Set<SpanWatcher>()

/**
 * Calls `watcher` for every recorded span.
 *
 * @returns ends that
 */
export function watch(watcher: SpanWatcher): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

export function started(span: Span): void {
  for (const watcher of watchers) attempt('tell of a span', () => watcher.started(span))
}

export function ended(span: Span): void {
  for (const watcher of watchers) attempt('tell of a span', () => watcher.ended(span))
}
