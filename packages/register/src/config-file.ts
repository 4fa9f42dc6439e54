import { loadConfigFile as load } from '@svc/core/config-file'
import type { Trust } from '@svc/core/trust'
import type { SvcSpanProcessorParams } from '@svc/otel'

/** What the module named by `SVC_CONFIG_FILE` exports: its default export, `module.exports`, or its named exports. */
export type SvcConfig = Omit<SvcSpanProcessorParams, 'env' | 'onDelivered'> & {
  /** Continue the trace that `traceparent` of a request names. Default: `SVC_TRUST_TRACEPARENT`, else false. */
  trustTraceparent?: Trust
}

/** Loads the config file. Its values are validated where they are read. */
export function loadConfigFile(path: string, report: (line: string) => void): SvcConfig | undefined {
  return load(path, report) as SvcConfig | undefined
}
