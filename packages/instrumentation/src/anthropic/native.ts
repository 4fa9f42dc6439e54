import { defaultVariable, removeDefault } from '@svc/core/environment'
import { getRuntime, hasHost } from '@svc/core/registry'
import { capturesContent, propagatesToVendors } from '../gen-ai/configure.ts'
import type { Fields } from '../gen-ai/read.ts'
import { type NativeContent, SLOT } from './native-content.ts'

const ENABLED = 'ANTHROPIC_OPEN_TELEMETRY'
const CONTENT = 'ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE'

/**
 * Disables the library's own spans, unless the user configured them in the environment or in the client's
 * `openTelemetry` option; then we create none. From version 1 on the library creates spans as soon as there is a
 * provider, without content, which would duplicate ours. A provider of the application's own has them, as without us.
 */
export function configureNativeSpans(): void {
  const mode = () => (capturesContent() ? 'content' : 'metadata_only')
  defaultVariable(ENABLED, 'false')
  defaultVariable(CONTENT, mode())
  getRuntime()?.onHost?.(() => {
    removeDefault(ENABLED)
    removeDefault(CONTENT)
  })
  const content: NativeContent = {
    get contentMode() {
      return hasHost() ? undefined : mode()
    },
  }
  Object.defineProperty(globalThis, Symbol.for(SLOT), { value: content, configurable: true })
  if (!propagatesToVendors()) defaultVariable('ANTHROPIC_OPEN_TELEMETRY_PROPAGATION', 'false')
}

/** Returns whether this client creates its own spans, and they are to be sent in the place of ours. */
export function recordsItself({ _tracer }: Fields): boolean {
  return _tracer !== undefined && _tracer !== null && !hasHost()
}
