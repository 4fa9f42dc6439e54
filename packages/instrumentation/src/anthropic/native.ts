import { type Tracer, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { defaultVariable, isDefault, removeDefault } from '@svc/core/environment'
import { getRuntime, hasHost } from '@svc/core/registry'
import { capturesContent, propagatesToVendors } from '../gen-ai/configure.ts'
import { type Fields, isObject } from '../gen-ai/read.ts'
import { getMember } from '../patch/patch-methods.ts'
import { type NativeContent, SLOT } from './native-content.ts'

const ENABLED = 'ANTHROPIC_OPEN_TELEMETRY'
const SCOPE = 'com.anthropic.sdk.typescript'
const CONTENT = 'ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE'

let isSwitchedOff = false

/** What a client has settled, from 1.0 on. */
interface NativeClient {
  readonly openTelemetry: { readonly propagation: boolean; readonly traces: { readonly enabled: boolean } }
  _instrumentationScope(): { readonly version: string; readonly platform?: string }
}

/**
 * Disables the library's own spans, unless the user configured them in the environment or in the client's
 * `openTelemetry` option; then we create none. From version 1 on the library creates spans as soon as there is a
 * provider, without content, which would duplicate ours. A provider of the application's own has them, as without us.
 */
export function configureNativeSpans(): void {
  const mode = () => (capturesContent() ? 'content' : 'metadata_only')
  defaultVariable(ENABLED, 'false')
  isSwitchedOff = isDefault(ENABLED)
  // A client keeps what it has read: with a provider, spans that nobody has asked for have no content.
  if (!isSwitchedOff) defaultVariable(CONTENT, mode())
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

/** Gives clients that were made before the application's provider their own spans as soon as there is one, as without us. */
export function awaitProvider(client: unknown): void {
  let prototype = getMember(client, 'prototype')
  while (isObject(prototype) && !Object.hasOwn(prototype, '_instrumentationScope'))
    prototype = Object.getPrototypeOf(prototype)
  if (isObject(prototype)) Object.defineProperty(prototype, '_tracer', { set: keepTracer, configurable: true })
}

function keepTracer(this: NativeClient, given: unknown): void {
  let tracer = given
  const kept = attempt('look at the spans of a client', isOff, this)
    ? { get: () => (tracer ??= hasHost() ? attempt('make a tracer', tracerOf, this) : undefined), set: keepTracer }
    : { value: given, writable: true }
  Object.defineProperty(this, '_tracer', { ...kept, enumerable: true, configurable: true })
}

/** By our variables, which copies of a client have, too. Options that switch spans off leave propagation on. */
function isOff({ openTelemetry: { propagation, traces } }: NativeClient): boolean {
  return isSwitchedOff && !traces.enabled && !propagation
}

function tracerOf(client: NativeClient): Tracer {
  const { version, platform } = client._instrumentationScope()
  return trace.getTracer(platform === undefined ? SCOPE : `${SCOPE}.${platform}`, version)
}
