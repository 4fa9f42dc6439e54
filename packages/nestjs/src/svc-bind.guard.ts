import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common'
import { attempt } from '@svc/core/attempt'
import { SVC_SETTINGS, type SvcSettings } from './settings.ts'
import { bindRequest } from './transport/http-work.ts'

/**
 * Names the root observation as soon as Nest knows the handler, before all other guards, so that what they do has its
 * place in the tree; and sees the request that they write on. Lets everything pass.
 */
@Injectable()
export class SvcBindGuard implements CanActivate {
  readonly #settings: SvcSettings

  constructor(@Inject(SVC_SETTINGS) settings: SvcSettings) {
    this.#settings = settings
  }

  canActivate(host: ExecutionContext): true {
    const type = host.getType<string>()
    if (this.#settings.active && (type === 'http' || type === 'graphql')) {
      attempt('bind a request', bindRequest, host)
    }
    return true
  }
}
