import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common'
import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import type { Observable } from 'rxjs'
import { scopeIn, worksIn } from './scope/scope.ts'
import { SVC_SETTINGS, type SvcSettings } from './settings.ts'
import { httpWork, requestIn } from './transport/http-work.ts'
import { messageWork } from './transport/message.ts'
import { Query } from './transport/query.ts'
import { type Work, within } from './transport/within.ts'

/** Runs handlers in the context of their root observation, and tells it what they throw and, if asked, what they give. */
@Injectable()
export class SvcInterceptor implements NestInterceptor {
  readonly #settings: SvcSettings

  constructor(@Inject(SVC_SETTINGS) settings: SvcSettings) {
    this.#settings = settings
  }

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const work = this.#settings.active ? attempt('observe a handler', () => this.#workOf(host)) : undefined
    return work ? within(work, next) : next.handle()
  }

  #workOf(host: ExecutionContext): Work | undefined {
    const active = context.active()
    // A hook before the guards was there first, or the interceptor of another SvcModule.
    if (worksIn(active, host.getHandler())) {
      scopeIn(active)?.caller.settle()
      return undefined
    }
    const type = host.getType<string>()
    if (type === 'http' || type === 'graphql') {
      const request = requestIn(host)
      if (request) return httpWork(host, request, this.#settings)
      // A query over a WebSocket. Of a subscription nobody knows when it is over.
      if (type === 'http' || new Query(host).isSubscription) return undefined
    }
    const work = messageWork(host, this.#settings)
    work?.scope.caller.settle()
    return work
  }
}
