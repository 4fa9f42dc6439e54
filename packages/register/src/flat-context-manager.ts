import { type Context, ROOT_CONTEXT } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { FLAT_ROOT_CONTEXT } from '@svc/core/flat-context'

/**
 * OpenTelemetry's own, except that a context without values is flat: so are all that are made from it, by whichever
 * instrumentation or library.
 */
export class FlatContextManager extends AsyncLocalStorageContextManager {
  override active(): Context {
    const active = super.active()
    return active === ROOT_CONTEXT ? FLAT_ROOT_CONTEXT : active
  }
}
