import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common'
import { context } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import type { Observable } from 'rxjs'
import { scopeIn } from './scope/scope.ts'
import { SVC_SETTINGS, type SvcSettings } from './settings.ts'
import { requestOf } from './transport/http-request.ts'
import { httpWork, queryWork } from './transport/http-work.ts'
import { messageWork } from './transport/message.ts'
import { Query } from './transport/query.ts'
import { subscriptionWork } from './transport/subscription/subscription-work.ts'
import { type Work, within } from './transport/within.ts'

/** Runs handlers in the context of their root observation, and records what they throw and, if configured, what they return. */
@Injectable()
export class SvcInterceptor implements NestInterceptor {
  readonly #settings: SvcSettings

  constructor(@Inject(SVC_SETTINGS) settings: SvcSettings) {
    this.#settings = settings
  }

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const work = attempt('observe a handler', () => this.#workOf(host))
    return work ? within(work, next) : next.handle()
  }

  /** Returns how to observe a handler; undefined if it is not observed. */
  #workOf(host: ExecutionContext): Work | undefined {
    if (!this.#settings.active) return undefined
    const type = host.getType<string>()
    if (type === 'http') {
      const request: unknown = host.switchToHttp().getRequest()
      const known = requestOf(request)
      return known && httpWork(host, known, request, this.#settings)
    }
    if (type === 'graphql') {
      const work = queryWork(host)
      if (work) return work
      // Over a WebSocket.
      if (new Query(host).isSubscription) return subscriptionWork(host, this.#settings)
    }
    return this.#messageWork(host)
  }

  #messageWork(host: ExecutionContext): Work | undefined {
    const around = scopeIn(context.active())
    // A hook before the guards was there first, or the interceptor of another SvcModule.
    const isKnown = around?.isCurrentHandler(host.getHandler())
    const work = isKnown ? undefined : messageWork(host, this.#settings)
    const scope = isKnown ? around : work?.scope
    scope?.identity.resolveFinal()
    return work
  }
}
