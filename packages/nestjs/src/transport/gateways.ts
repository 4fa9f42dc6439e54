import 'reflect-metadata'
import type { ModulesContainer } from '@nestjs/core'

/** Keys of `@WebSocketGateway()` and `@UseInterceptors()`. */
const [GATEWAY, INTERCEPTORS] = ['websockets:is_gateway', '__interceptors__']

/** The interceptors that are there because of us: the next application of the process brings its own. */
const given = new WeakSet<object>()

/**
 * Gives an interceptor to every gateway, as `@UseInterceptors()` would: those of the application reach gateways since
 * Nest 12 only. Has to happen before gateways are connected, which is after modules were made.
 */
export function interceptGateways(modules: ModulesContainer, interceptor: object): void {
  given.add(interceptor)
  for (const { providers } of modules.values()) {
    for (const { metatype } of providers.values()) {
      if (typeof metatype !== 'function' || !Reflect.getMetadata(GATEWAY, metatype)) continue
      const there: readonly object[] = Reflect.getMetadata(INTERCEPTORS, metatype) ?? []
      const others = there.filter((each) => !given.has(each))
      Reflect.defineMetadata(INTERCEPTORS, [interceptor, ...others], metatype)
    }
  }
}
