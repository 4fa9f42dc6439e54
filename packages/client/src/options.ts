import { type Environment, givenEnvironment } from '@svc/core/environment'
import { missingKeys } from '@svc/core/keys'
import { warnOnce } from '@svc/core/log'
import { readSettings, type Settings } from '@svc/core/setting'
import { clientSettings } from '@svc/core/settings'
import { isObject, shown } from './misuse.ts'
import type { PromptFiles } from './prompt/prompt-files.ts'

/** Options of `SvcClient`. Each beats its variable, and the variable beats the default. */
export interface SvcClientOptions {
  /** Public key of the project. Variable: `SVC_PUBLIC_KEY`. */
  readonly publicKey?: string | undefined
  /** Secret key of the project. Variable: `SVC_SECRET_KEY`. */
  readonly secretKey?: string | undefined
  /** Where the service is. Variables: `SVC_BASE_URL`, `SVC_BASEURL`. Default: the hosted service (EU). */
  readonly baseUrl?: string | undefined
  /** Seconds that a batch of scores and each request of a manager may take. Variable: `SVC_TIMEOUT`. Default 5. */
  readonly timeout?: number | undefined
  /** Sent with every request; they replace ours, whatever the case. Variable: `SVC_ADDITIONAL_HEADERS`. */
  readonly additionalHeaders?: Readonly<Record<string, string>> | undefined
  /** Environment of scores that name none. Variable: `SVC_TRACING_ENVIRONMENT`. */
  readonly environment?: string | undefined
  /** Scores that make a batch leave. Variable: `SVC_FLUSH_AT`. Default 10. */
  readonly flushAt?: number | undefined
  /** Seconds a score waits at most. Variable: `SVC_FLUSH_INTERVAL`. Default 1. */
  readonly flushInterval?: number | undefined
  /** Bytes of memory that scores may take which wait to be sent. Variable: `SVC_OTEL_MAX_QUEUE_BYTES`. */
  readonly maxQueueBytes?: number | undefined
  /** Seconds that scores are tried for while the service is away. Variable: `SVC_OTEL_MAX_RETRY_AGE`. Default 900. */
  readonly maxRetryAge?: number | undefined
  /** Folder for scores that cannot wait in memory. Variable: `SVC_OTEL_SPOOL_DIR`. Default: none. */
  readonly spoolDir?: string | undefined
  /** `always` writes every score down within 50 ms. Variable: `SVC_OTEL_SPOOL`. Default `overflow`. */
  readonly spool?: 'overflow' | 'always' | undefined
  /** Bytes that the folder may take. Variable: `SVC_OTEL_SPOOL_MAX_BYTES`. Default 256 MiB. */
  readonly spoolMaxBytes?: number | undefined
  /** Seconds that scores are kept in the folder. Variable: `SVC_OTEL_SPOOL_MAX_AGE`. Default 3 days. */
  readonly spoolMaxAge?: number | undefined
  /** Seconds the end of the process may wait for the last scores. Variable: `SVC_SHUTDOWN_TIMEOUT`. Default 2. */
  readonly shutdownTimeout?: number | undefined
  /** Prompts that are kept as files: `prompts` of the module that `svc prompts` writes. Default: none. */
  readonly prompts?: PromptFiles | undefined
  /** Where variables are looked up. Default: the environment of the process. */
  readonly env?: Environment | undefined
}

/** What the options and the environment come to. */
export interface OwnSettings extends Settings<typeof clientSettings> {}

/** The settings of a client, and where its variables are looked up. What is wrong or missing is said in one line each. */
export function ownSettingsOf(given: SvcClientOptions): { readonly settings: OwnSettings; readonly env: Environment } {
  if (!isObject(given)) warnOnce(`the options of SvcClient are ignored: expected an object, got ${shown(given)}.`)
  const options: SvcClientOptions = isObject(given) ? given : {}
  const env = givenEnvironment(options.env, warnOnce)
  const settings = readSettings(clientSettings, { ...options }, env, warnOnce)
  const missing = missingKeys(settings)
  if (missing.length > 0) {
    const set = missing.length > 1 ? 'Set them' : 'Set it'
    warnOnce(`no ${missing.join(' and no ')}, so the service will refuse what SvcClient sends. ${set}.`)
  }
  return { settings, env }
}
