import type { SvcConfig } from './config-file.ts'
import type { RequestValues } from './request-values.ts'
import type { Treatment } from './treatment.ts'

export interface StartOptions extends SvcConfig {
  /** Name of the caller, for messages. Default `@svc/register`. */
  readonly owner?: string
  /** The `service.name` of OpenTelemetry. Default: `OTEL_SERVICE_NAME`. */
  readonly serviceName?: string | undefined
  /** See the calls of libraries. Without that, no module is hooked but OpenTelemetry's API. Default true. */
  readonly instrument?: boolean | undefined
  /** Instrument the AI SDK (`ai` 7). Default true, unless `SVC_INSTRUMENTATIONS` omits it. */
  readonly aiSdk?: boolean | undefined
  /** @internal Returns attributes for the spans of a request, beside propagated ones. Called once for each request. */
  readonly requestValues?: RequestValues | undefined
  /** The treatment of infrastructure spans, by scope name. Default: see `muted-scopes.ts`. */
  readonly scopes?: Readonly<Record<string, Treatment>> | undefined
}
