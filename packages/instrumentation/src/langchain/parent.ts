import { type Context, context } from '@opentelemetry/api'
import { type Run, runOf } from './run.ts'
import { withStreamOf } from './streams.ts'

/**
 * What a run below `parent` starts in. Its own context, unless the work of `parent` is just being done: then there may
 * be spans and values of the application in between.
 */
export function parentContext(parent: Run | undefined): Context {
  const active = context.active()
  return !parent || runOf(active) === parent ? active : withStreamOf(active, parent.context)
}
