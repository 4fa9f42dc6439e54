import type { IncomingMessage } from 'node:http'
import { NEXT_SCOPE } from '@svc/core/attributes/constants'
import { log, messageOf, warnOnce } from '@svc/core/log'
import { ownFields } from '@svc/core/own'
import { getRuntime } from '@svc/core/registry'
import { deliverWithRequests } from '../delivery.ts'
import { isBuilding, setHost } from '../host.ts'
import { NodeRequestValues } from '../identity/request-values.ts'
import { reportEdits } from './edited.ts'
import { loadStart } from './load-start.ts'
import { changedOptions, type RegisterSvcOptions, readOptions } from './options.ts'
import { verifyContext } from './verify-context.ts'

/**
 * Starts tracing, for `instrumentation.ts`. Where the preload (`--import @svc/register`) runs, the options are handed to
 * it; there is never a second pipeline. Never throws or rejects.
 *
 * @param options everything that `SvcSpanProcessor` takes, `serviceName`, `nextSpans`, `aiSdk`, `flush`
 * @example
 * export const register = () => registerSvc({ serviceName: 'shop' })
 */
export async function registerSvc(given: RegisterSvcOptions = {}): Promise<void> {
  try {
    const { nextSpans, ...read } = readOptions(given)
    const { flush, ...options } = ownFields(read)
    const { trustBaggage, trustTraceparent } = ownFields(options)
    setHost({ flush, trustBaggage, trustTraceparent, service: options })
    if (isBuilding()) return
    const scopes = nextSpans === undefined ? {} : { scopes: { [NEXT_SCOPE]: nextSpans } }
    const all = { ...options, ...scopes }
    const own = { requestValues: (request: IncomingMessage) => new NodeRequestValues(request) }
    const running = getRuntime()
    const changed = changedOptions(all)
    if (running) {
      log.debug(`@svc/next hands its options to ${running.owner}, which runs already.`)
      running.attach({ ...changed, ...own })
    } else if (!loadStart()?.({ owner: '@svc/next', ...all, ...own })) return
    reportEdits()
    deliverWithRequests()
    await verifyContext()
  } catch (error) {
    warnOnce(`@svc/next cannot start, so nothing is traced: ${messageOf(error)}`)
  }
}
