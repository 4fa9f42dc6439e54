import 'reflect-metadata'
import type { NestInterceptor } from '@nestjs/common'
import type { ModulesContainer } from '@nestjs/core'
import { attempt } from '@svc/core/attempt'
import { log } from '@svc/core/log'

/** Key of `@MessagePattern()` and `@EventPattern()`. */
const PATTERN = 'microservices:pattern'

/**
 * Wraps the interceptor to warn about connected microservices that do not use it. A connected microservice has its own
 * interceptors unless it inherits those of the application. Nest does not expose which; but one that inherits reads
 * `intercept` of each interceptor when it registers its handlers.
 */
export function warnOfUnusedInterceptor(modules: ModulesContainer, interceptor: NestInterceptor): NestInterceptor {
  let reads = 0
  const intercept = interceptor.intercept.bind(interceptor)
  const registry = modules.getRpcTargetRegistry<MessageServer>()
  registry.subscribe((server) => {
    const before = reads
    // Its handlers are registered in the same turn, or later by one that is initialized by itself.
    queueMicrotask(() =>
      attempt('look at a microservice', () => {
        if (reads === before && (server.getHandlers?.().size ?? 0) > 0 && hasHandlers(modules)) warn()
      }),
    )
  })
  return {
    get intercept() {
      reads += 1
      return intercept
    },
  }
}

interface MessageServer {
  getHandlers?(): ReadonlyMap<string, unknown>
}

/** Returns whether a handler is made at start: those of request scope ask for interceptors with each message. */
function hasHandlers(modules: ModulesContainer): boolean {
  return [...modules.values()]
    .flatMap(({ controllers }) => [...controllers.values()])
    .some((controller) => controller.isDependencyTreeStatic() && handlesMessages(controller.metatype))
}

function handlesMessages(controller: unknown): boolean {
  const prototype: object | undefined = typeof controller === 'function' ? controller.prototype : undefined
  return Object.values(Object.getOwnPropertyDescriptors(prototype ?? {})).some(
    ({ value }) => typeof value === 'function' && Reflect.hasMetadata(PATTERN, value),
  )
}

function warn(): void {
  log.once(
    'warn',
    'messages of a connected microservice are not recorded, because it does not have the interceptors of the application: ' +
      'connectMicroservice(options, { inheritAppConfig: true }).',
  )
}
