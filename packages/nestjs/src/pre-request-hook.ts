import type { ExecutionContext, INestApplicationContext } from '@nestjs/common'
import { ModulesContainer } from '@nestjs/core'
import { attempt } from '@svc/core/attempt'
import { log } from '@svc/core/log'
import * as SLOTS from '@svc/core/slots'
import type { Observable } from 'rxjs'
import { SVC_SETTINGS, type SvcSettings } from './settings.ts'
import { messageWork } from './transport/message.ts'
import { within } from './transport/within.ts'

// On globalThis: a hook is a function, which injection does not reach, and modules are copied.
const SLOT = Symbol.for(SLOTS.NESTJS_MODULE)
const slots = globalThis as unknown as Record<symbol, SvcSettings | undefined>

/** Makes settings known to hooks that belong to no application in particular. */
export function shareSettings(settings: SvcSettings): void {
  slots[SLOT] = settings
}

/** Nest ends the process when a provider is requested that an application does not have, so we look first. */
function settingsIn(app: Pick<INestApplicationContext, 'get'>): SvcSettings | undefined {
  const modules = [...app.get(ModulesContainer).values()]
  if (!modules.some(({ providers }) => providers.has(SVC_SETTINGS))) return undefined
  return app.get<SvcSettings>(SVC_SETTINGS, { strict: false })
}

/** A function that Nest calls before the guards of a message. */
export type SvcPreRequestHook = (host: ExecutionContext, next: () => Observable<unknown>) => Observable<unknown>

/**
 * Runs messages of a microservice, guards included, in the context of their root observation: brings the spans of
 * guards into the tree. Nest 12.
 *
 * @param app the application with the `SvcModule`, where a process has several. Default: the one that started last.
 * @example
 * const microservice = await NestFactory.createMicroservice(AppModule, options)
 * microservice.registerPreRequestHook(svcPreRequestHook(microservice))
 */
export function svcPreRequestHook(app?: Pick<INestApplicationContext, 'get'>): SvcPreRequestHook {
  let own: SvcSettings | undefined
  return (host, next) => {
    own ??= app && attempt('find the settings of an application', () => settingsIn(app))
    const settings = own ?? slots[SLOT]
    if (!settings) log.once('warn', 'svcPreRequestHook does nothing, because SvcModule is not imported: import it.')
    const work = settings?.active ? attempt('observe a message', () => messageWork(host, settings)) : undefined
    return work ? within(work, { handle: next }) : next()
  }
}
