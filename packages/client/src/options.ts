import type { Environment } from '@svc/core/environment'
import type { PromptFiles } from './prompt/prompt-files.ts'

/** Options of `SvcClient`. An option takes precedence over its variable, and the variable over the default. */
export interface SvcClientOptions {
  /** Public key of the project. Variable: `SVC_PUBLIC_KEY`. */
  readonly publicKey?: string | undefined
  /** Secret key of the project. Variable: `SVC_SECRET_KEY`. */
  readonly secretKey?: string | undefined
  /** URL of the service. Variables: `SVC_BASE_URL`, `SVC_BASEURL`. Default: the hosted service (EU). */
  readonly baseUrl?: string | undefined
  /**
   * Time-out of a batch of scores and of each request of a manager, with its retries, in seconds. Variable:
   * `SVC_TIMEOUT`. Default 5.
   */
  readonly timeout?: number | undefined
  /** Headers of every request; they override ours, regardless of case. Variable: `SVC_ADDITIONAL_HEADERS`. */
  readonly additionalHeaders?: Readonly<Record<string, string>> | undefined
  /** Environment of scores that do not name one. Variable: `SVC_TRACING_ENVIRONMENT`. */
  readonly environment?: string | undefined
  /** Number of scores after which a batch is sent. Variable: `SVC_FLUSH_AT`. Default 10. */
  readonly flushAt?: number | undefined
  /** Maximum seconds before a score is sent. Variable: `SVC_FLUSH_INTERVAL`. Default 1. */
  readonly flushInterval?: number | undefined
  /** Maximum bytes of queued scores in memory. Variable: `SVC_OTEL_MAX_QUEUE_BYTES`. */
  readonly maxQueueBytes?: number | undefined
  /**
   * Seconds for which scores are retried while the service is down. Variable: `SVC_OTEL_MAX_RETRY_AGE`. Default 900.
   */
  readonly maxRetryAge?: number | undefined
  /**
   * Folder for scores that exceed the queue, are too old, or remain at exit. Variable: `SVC_OTEL_SPOOL_DIR`. Default:
   * none.
   */
  readonly spoolDir?: string | undefined
  /** `always` writes every score to disk within 50 ms. Variable: `SVC_OTEL_SPOOL`. Default `overflow`. */
  readonly spool?: 'overflow' | 'always' | undefined
  /** Maximum bytes of the folder. Variable: `SVC_OTEL_SPOOL_MAX_BYTES`. Default 256 MiB. */
  readonly spoolMaxBytes?: number | undefined
  /** Seconds for which scores are kept in the folder. Variable: `SVC_OTEL_SPOOL_MAX_AGE`. Default 3 days. */
  readonly spoolMaxAge?: number | undefined
  /**
   * Maximum seconds that the exit of the process waits for the last scores. Variable: `SVC_SHUTDOWN_TIMEOUT`. Default
   * 2.
   */
  readonly shutdownTimeout?: number | undefined
  /** Prompts that are kept as files: the export `prompts` of the module that `svc prompts` writes. Default: none. */
  readonly prompts?: PromptFiles | undefined
  /** Returns the value of a variable. Default: the environment of the process. */
  readonly env?: Environment | undefined
}
