import type { ExecutionContext } from '@nestjs/common'
import type { Attributes } from '@opentelemetry/api'
import { mergedAttributes } from '@svc/core/context'
import { propagatedValues } from '@svc/tracing/adapters'
import { marksOf } from '../decorators/marks.ts'
import type { Scope } from '../scope/scope.ts'

/**
 * Says what handles a request or message, unless that was said before: guard and interceptor both may be the first to
 * know, and several resolvers may work for one GraphQL operation.
 *
 * @param traceName name of the trace, unless a decorator gives one
 * @returns whether it is to be observed at all
 */
export function handled(scope: Scope, host: ExecutionContext, traceName?: string): boolean {
  const [owner, handler] = [host.getClass(), host.getHandler()]
  const marks = marksOf(owner, handler)
  if (marks.skip) {
    scope.skip()
    return false
  }
  const isFirst = scope.handledBy(handler, `${owner.name}.${handler.name}`, valuesOf(marks.values, traceName))
  if (isFirst && marks.isPublic) scope.root?.setTraceAsPublic()
  return scope.isObserved
}

function valuesOf(values: Attributes, traceName: string | undefined): Attributes {
  return traceName === undefined
    ? values
    : mergedAttributes(
        propagatedValues({ traceName }, () => {}),
        values,
      )
}
