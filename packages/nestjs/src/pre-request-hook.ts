import type { ExecutionContext, INestApplicationContext } from '@nestjs/common'
import { attempt } from '@svc/core/attempt'
import { log } from '@svc/core/log'
import type { Observable } from 'rxjs'
import { SVC_SETTINGS, type SvcSettings } from './settings.ts'
import { messageWork } from './transport/message.ts'
import { within } from './transport/within.ts'

// On globalThis: a hook is a function, which injection does not reach, and modules are copied.
const SLOT = Symbol.for('svc.nestjs-module.6')
const slots = globalThis as unknown as Record<symbol, SvcSettings | undefined>

/** Makes settings known to hooks that belong to no application in particular. */
export function shareSettings(settings: SvcSettings): void {
  slots[SLOT] = settings
}

/** What Nest calls before the guards of a message. */
export type SvcPreRequestHook = (host: ExecutionContext, next: () => Observable<unknown>) => Observable<unknown>

/**
 * Runs messages of a microservice, guards included, in the context of their root observation. A hybrid application
 * needs it, because its interceptors do not reach messages; any other gets the spans of its guards into the tree.
 *
 * @param app the application with the `SvcModule`, where a process has several. Default: the one that started last.
 * @example
 * const microservice = app.connectMicroservice(options, { deferInitialization: true })
 * microservice.registerPreRequestHook(svcPreRequestHook())
 */
export function svcPreRequestHook(app?: Pick<INestApplicationContext, 'get'>): SvcPreRequestHook {
  let own: SvcSettings | undefined
  return (host, next) => {
    own ??= app?.get<SvcSettings>(SVC_SETTINGS, { strict: false })
    const settings = own ?? slots[SLOT]
    if (!settings) log.once('warn', 'svcPreRequestHook does nothing, because no SvcModule is there: import it.')
    const work = settings?.active ? attempt('observe a message', () => messageWork(host, settings)) : undefined
    return work ? within(work, { handle: next }) : next()
  }
}
