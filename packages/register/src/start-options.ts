import type { SvcConfig } from './config-file.ts'
import type { RequestValues } from './request-values.ts'
import type { Treatment } from './treatment.ts'

export interface StartOptions extends SvcConfig {
  /** Who asks, for messages. Default `@svc/register`. */
  readonly owner?: string
  /** OpenTelemetry's name of the service. Default: `OTEL_SERVICE_NAME`. */
  readonly serviceName?: string | undefined
  /** See the calls of libraries. Without that, no module is hooked but OpenTelemetry's API. Default true. */
  readonly instrument?: boolean | undefined
  /** See the calls of the AI SDK (`ai` 7). Default true, unless `SVC_INSTRUMENTATIONS` leaves it out. */
  readonly aiSdk?: boolean | undefined
  /** @internal Says what the spans of a request get beside what code propagates: asked once for each request. */
  readonly requestValues?: RequestValues | undefined
  /** What becomes of the spans of infrastructure, by the name of the scope. Default: see `muted-scopes.ts`. */
  readonly scopes?: Readonly<Record<string, Treatment>> | undefined
}
