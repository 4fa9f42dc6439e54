import type { ExecutionContext } from '@nestjs/common'
import { mergeAttributes } from '@svc/core/context'
import { markPublic, propagatedText } from '@svc/tracing/adapters'
import { type Marks, marksOf } from '../decorators/marks.ts'
import type { Scope } from '../scope/scope.ts'

/**
 * Sets what handles a request or message, unless it is set already: guard and interceptor both may be the first to
 * know, and several resolvers may work for one GraphQL operation.
 *
 * @param traceName name of the trace, unless a decorator gives one
 * @returns what its decorators say; undefined if it is not observed
 */
export function setHandled(scope: Scope, host: ExecutionContext, traceName?: string): Marks | undefined {
  const marks = marksIn(host, traceName)
  if (marks.skip) {
    scope.skip()
    return undefined
  }
  const isFirst = scope.setHandler(marks.name, marks.values)
  if (isFirst && marks.isPublic && scope.span) markPublic(scope.span)
  return scope.isObserved ? marks : undefined
}

/** Returns the values of its decorators; `traceName` unless they set one. */
export function marksIn(host: ExecutionContext, traceName?: string): Marks {
  const marks = marksOf(host.getClass(), host.getHandler())
  if (traceName === undefined) return marks
  const named = propagatedText('traceName', traceName, () => {})
  return { ...marks, values: mergeAttributes(named, marks.values) }
}
