import type { TracerProvider } from '@opentelemetry/api'
import { apiGlobal } from '@svc/core/api-global'
import { attempt } from '@svc/core/attempt'

/** Describes why no provider can be registered beside an earlier one, with the remedy. */
export function describeOccupied(provider: object | undefined): string {
  const isSentrys = provider !== undefined && provider === sentry()?.client.traceProvider
  const name = isSentrys ? 'of Sentry' : nameOf(provider)
  const remedy = isSentrys
    ? `${WITHOUT_SENTRYS}: its errors stay, and the traces come to svc.`
    : 'Put --import @svc/register before it, or add `new SvcSpanProcessor()` from @svc/otel to its span processors.'
  return `another OpenTelemetry provider (${name}) was registered first, so svc records nothing. ${remedy}`
}

/** The message if the API refuses our provider although none is registered: its global has another version. */
export function refused(api = apiGlobal()): string {
  return (
    `@opentelemetry/api ${api?.version ?? 'of another version'} was loaded first and refuses newer packages, so svc ` +
    'records nothing. Update it, or put --import @svc/register before what loads it.'
  )
}

/**
 * The message about a provider that is registered after ours, with the remedy.
 *
 * @param isTaken whether it is registered now in place of ours, which `trace.disable()` removed
 */
export function describeAdditional(provider?: TracerProvider, isTaken = false): string {
  if (isTaken)
    return (
      `another OpenTelemetry provider (${nameOf(provider)}) was registered in place of that of svc, so svc records ` +
      'nothing from now on, unless `new SvcSpanProcessor()` from @svc/otel is among its span processors.'
    )
  if (bringsProvider(sentry())) return ADDITIONAL_SENTRY
  return (
    `another OpenTelemetry provider (${nameOf(provider)}) was registered after svc, so it gets ` +
    'no spans. Name its destination in OTEL_EXPORTER_OTLP_ENDPOINT, which svc sends all spans to as well; or leave the ' +
    'preload out and add `new SvcSpanProcessor()` from @svc/otel to its span processors.'
  )
}

const WITHOUT_SENTRYS =
  'Say skipOpenTelemetrySetup: true (Sentry 10) or enableOpenTelemetrySetup: false (Sentry 11) in Sentry.init'

const ADDITIONAL_SENTRY =
  'Sentry was started after svc, whose OpenTelemetry provider is registered, so Sentry gets errors but no traces. ' +
  `${WITHOUT_SENTRYS} if that is what you want; to send it the traces as well, name its OTLP endpoint in ` +
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT.'

interface Sentry {
  readonly version?: string
  readonly [version: string]: unknown
}

interface SentryScope {
  getClient?(): SentryClient | undefined
}

interface SentryClient {
  readonly traceProvider?: unknown
  getOptions?(): { readonly skipOpenTelemetrySetup?: boolean; readonly enableOpenTelemetrySetup?: boolean }
}

/** Sentry as it was initialized in this process, with its version. */
function sentry(): { readonly version: string; readonly client: SentryClient } | undefined {
  return attempt('look for Sentry', () => {
    const { __SENTRY__: carriers } = globalThis as { __SENTRY__?: Sentry }
    const version = carriers?.version ?? ''
    const carrier = carriers?.[version] as { defaultCurrentScope?: SentryScope } | undefined
    const client = carrier?.defaultCurrentScope?.getClient?.()
    return client && { version, client }
  })
}

/** Whether it registers a provider of its own. From version 11 on that is an option, which its package for Next sets. */
function bringsProvider(found: ReturnType<typeof sentry>): boolean {
  if (!found) return false
  const { skipOpenTelemetrySetup, enableOpenTelemetrySetup } = found.client.getOptions?.() ?? {}
  return Number.parseInt(found.version, 10) <= 10 ? !skipOpenTelemetrySetup : enableOpenTelemetrySetup === true
}

/** Bundlers number class names (TracerProvider$1) or remove them. */
function nameOf(provider: object | undefined): string {
  return provider?.constructor?.name.replace(/\$\d+$/, '') || 'of an unknown kind'
}
