import type { Trust } from './address-ranges.ts'
import { CLOUD_BASE_URL } from './cloud.ts'
import * as read from './readers.ts'
import type { Setting } from './setting.ts'

/**
 * The rows of `settings.ts` that the start of a process and edge functions read, apart from the others, so that they are
 * loaded without them.
 */

// So that bundles leave out the tables they do not read. (Not every bundler looks for this mark in another file.)
/* @__NO_SIDE_EFFECTS__ */
export const row = <T>(setting: Setting<T>): Setting<T> => setting

/* @__NO_SIDE_EFFECTS__ */
export const flag = (env: readonly string[], value: boolean, whenInvalid?: typeof READ_AS_FALSE): Setting<boolean> => ({
  env,
  read: read.boolean,
  expected: 'true or false',
  default: value,
  whenInvalid,
})

/** For switches that a user sets in order to have less recorded, or to distrust something. */
const READ_AS_FALSE = { value: false, done: 'is read as false' }

/* @__NO_SIDE_EFFECTS__ */
export const list = (env: readonly string[], what: string): Setting<readonly string[]> => ({
  env,
  read: read.list,
  expected: `${what} joined by commas`,
  default: [],
})

/* @__NO_SIDE_EFFECTS__ */
export const text = (env: readonly string[], expected = 'a text'): Setting<string | undefined> => ({
  env,
  read: read.text,
  expected,
})

/* @__NO_SIDE_EFFECTS__ */
export const key = (env: readonly string[]): Setting<string | undefined> => ({
  env,
  read: read.printable,
  expected: 'a key in plain ASCII',
  secret: true,
})

/* @__NO_SIDE_EFFECTS__ */
const proxy = (env: readonly string[]): Setting<string | undefined> => ({
  env,
  read: read.proxyUrl,
  expected: 'a URL such as http://proxy.example.com:3128',
  secret: true,
})

/* @__NO_SIDE_EFFECTS__ */
export const seconds = (env: readonly string[], value: number): Setting<number> => ({
  env,
  read: read.seconds,
  expected: 'a number of seconds above 0',
  default: value,
})

/* @__NO_SIDE_EFFECTS__ */
export const secondsOrNone = (env: readonly string[], value: number): Setting<number> => ({
  env,
  read: read.secondsOrNone,
  expected: 'a number of seconds, 0 or more',
  default: value,
})

/* @__NO_SIDE_EFFECTS__ */
const trust = (env: readonly string[]): Setting<Trust> => ({
  env,
  read: read.trust,
  expected: 'true, false, or addresses such as 10.0.0.0/8, fd00::/8 and loopback, joined by commas',
  whenInvalid: READ_AS_FALSE,
})

/** Seconds that process exit may wait for the last spans and scores, and that `shutdown()` may take. */
export const shutdownTimeout = secondsOrNone(['SVC_SHUTDOWN_TIMEOUT'], 2)

/** Public API key of the project. */
export const publicKey = row<string | undefined>({
  env: ['SVC_PUBLIC_KEY'],
  read: read.printable,
  expected: 'a key in plain ASCII',
})

/** Secret API key of the project. Never printed. */
export const secretKey = row<string | undefined>({
  env: ['SVC_SECRET_KEY'],
  read: read.text,
  expected: 'a key',
  secret: true,
})

/**
 * Base URL of the service. Trailing slashes are removed; a path is kept.
 * @default the hosted service (EU)
 */
export const baseUrl = row<string | undefined>({
  env: ['SVC_BASE_URL', 'SVC_BASEURL'],
  read: read.httpUrl,
  expected: 'a URL such as http://127.0.0.1:3939, without user name and password',
  default: CLOUD_BASE_URL,
  // Falling back to the hosted service would send a self-hosted team's prompts to the wrong place.
  whenInvalid: { value: undefined, done: 'is not usable, so nothing is sent' },
})

/** Environment of every span, for example `production`. Converted to lower case. */
export const environment = row<string | undefined>({
  env: ['SVC_TRACING_ENVIRONMENT'],
  read: read.environmentName,
  expected: 'at most 40 of a-z 0-9 - _, not starting with "svc"',
})

/** Time-out of a request, in seconds. Failed requests are retried: `SVC_OTEL_MAX_RETRY_AGE`. */
export const timeout = seconds(['SVC_TIMEOUT'], 5)

/**
 * Size limit of the export queue: compressed bytes that wait or are being sent. Above it the newest spans are dropped and
 * counted. The scores of `@svc/client` have a queue of the same size.
 * @default 64 MiB, or a quarter of the heap limit if that is less
 */
export const maxQueueBytes = row<number | undefined>({
  env: ['SVC_OTEL_MAX_QUEUE_BYTES'],
  read: read.count,
  expected: 'a whole number of bytes above 0',
})

/** Seconds for which spans and scores are retried while the service is down. */
export const maxRetryAge = seconds(['SVC_OTEL_MAX_RETRY_AGE'], 900)

/**
 * Headers added to every request: `k=v,k2=v2`, values percent-encoded. They override ours, regardless of case.
 * @default none
 */
export const additionalHeaders = row<Readonly<Record<string, string>>>({
  env: ['SVC_ADDITIONAL_HEADERS'],
  read: read.headers,
  expected: 'name=value pairs joined by commas, values percent-encoded',
  default: {},
  secret: true,
})

/** Release of every span, for example a commit hash. */
export const release = text(['SVC_RELEASE'])

/** Spans in a batch. The score queue of `@svc/client` reads the same variable (default 10). */
const flushAt = row<number>({
  env: ['SVC_FLUSH_AT', 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE'],
  read: read.count,
  expected: 'a whole number above 0',
  default: 512,
})

/** Seconds that a span waits at most before its batch is sent. `OTEL_BSP_SCHEDULE_DELAY` is in milliseconds. */
const flushInterval = row<number>({
  env: ['SVC_FLUSH_INTERVAL', 'OTEL_BSP_SCHEDULE_DELAY'],
  read: (raw, variable) => {
    const value = read.seconds(raw)
    return variable === 'OTEL_BSP_SCHEDULE_DELAY' && value !== undefined ? value / 1_000 : value
  },
  expected: 'a number above 0',
  default: 5,
})

/**
 * Compression of span batches. Ignored by `registerSvc` in edge runtimes, and where there is no gzip.
 * @default `gzip` on Node.js and Bun, `none` elsewhere
 */
export const compression = row<'gzip' | 'none' | undefined>({
  env: ['SVC_OTEL_COMPRESSION', 'OTEL_EXPORTER_OTLP_TRACES_COMPRESSION', 'OTEL_EXPORTER_OTLP_COMPRESSION'],
  read: /* @__PURE__ */ read.oneOf('gzip', 'none'),
  expected: 'gzip or none',
})

/** Value of the `x-svc-ingestion-version` header: `4` for real-time processing, `3` opts out. */
const ingestionVersion = row<3 | 4>({
  env: ['SVC_INGESTION_VERSION'],
  read: read.ingestionVersion,
  expected: '4 or 3',
  default: 4,
})

/**
 * Instrumentation scopes exported in addition to the LLM scopes, joined by commas; a name that ends in `*` is a prefix.
 * @default none
 */
const allowedScopes = list(['SVC_OTEL_ALLOWED_SCOPES'], 'scope names')

/**
 * Instrumentation scopes never exported, joined by commas; a name that ends in `*` is a prefix. Has precedence.
 * @default none
 */
const blockedScopes = list(['SVC_OTEL_BLOCKED_SCOPES'], 'scope names')

/**
 * Set input and output of a root without its own to the first question and the last answer of the model calls below it.
 */
const rootIo = flag(['SVC_ROOT_IO'], true, READ_AS_FALSE)

/** Extract base64 media from spans and upload it separately. */
const mediaUploadEnabled = flag(['SVC_MEDIA_UPLOAD_ENABLED'], true)

/**
 * Set user, session, tags, … from the `svc_*` baggage of incoming requests: of all (`true`), or of callers that connect
 * from these addresses. See [from service to service](service-to-service.md#the-called-service).
 * @default `false`; the first baggage that is refused is reported
 */
const trustBaggage = trust(['SVC_TRUST_BAGGAGE'])

const redacted = /* @__PURE__ */ read.someOf('secrets', 'email', 'phone', 'card', 'iban', 'ip', 'none')

/**
 * What is replaced by a mark in all texts of spans, before they are sent: `secrets` (always among them), `email`, `phone`,
 * `card`, `iban`, `ip`; or `none`. See [redaction](privacy.md#redaction).
 */
const redact = row<readonly Redacted[]>({
  env: ['SVC_REDACT'],
  read: (raw) => {
    const words = redacted(raw)
    // Beside another word it says two things.
    return words?.[1] && words.includes('none') ? undefined : words
  },
  expected: 'secrets, email, phone, card, iban and ip by commas, or none',
  default: ['secrets'],
  // Whoever sets it wants less to be sent.
  whenInvalid: { value: ['email', 'phone', 'card', 'iban', 'ip'], done: 'is read as all of them' },
})

/**
 * Rules for whole traces: `errors`, `slow:5s`, `cost:0.10`, `scored`, `users:a|b`, `rest:0.1`. A trace for which none holds
 * is not sent. See [sampling](sampling.md#by-rules).
 * @default none; every trace is kept
 */
export const keep = row<readonly string[] | undefined>({
  env: ['SVC_KEEP'],
  read: read.keepRules,
  expected: 'errors, slow:5s, cost:0.10, scored, users:a|b and rest:0.1, joined by commas',
  // Nothing is lost by a slip.
  whenInvalid: { value: undefined, done: 'is ignored, so every trace is kept' },
})

/** Whether {@link keep} is set, for edge functions, which cannot follow its rules. */
export const keepIsSet = row<boolean>({ env: ['SVC_KEEP'], read: Boolean, expected: 'rules', default: false })

/** OpenTelemetry's resource attribute `service.name`. */
export const serviceName = text(['OTEL_SERVICE_NAME'])

/**
 * OpenTelemetry's resource attributes: `k=v,k2=v2`, values percent-encoded.
 * @default none
 */
export const resourceAttributes = row<Readonly<Record<string, string>>>({
  env: ['OTEL_RESOURCE_ATTRIBUTES'],
  read: read.pairs,
  expected: 'name=value pairs joined by commas, values percent-encoded',
  default: {},
})

/** Proxy for `http://` addresses. Loopback addresses are never proxied. */
export const httpProxy = proxy(['http_proxy', 'HTTP_PROXY'])

/** Proxy for `https://` addresses. */
export const httpsProxy = proxy(['https_proxy', 'HTTPS_PROXY'])

export type Redacted = 'secrets' | 'email' | 'phone' | 'card' | 'iban' | 'ip' | 'none'

/** What edge functions read of {@link exportSettings}: nothing about disks, compression or the life of a process. */
export const edgeSettings = {
  publicKey,
  secretKey,
  baseUrl,
  environment,
  release,
  timeout,
  flushAt,
  flushInterval,
  maxQueueBytes,
  maxRetryAge,
  shutdownTimeout,
  ingestionVersion,
  additionalHeaders,
  allowedScopes,
  blockedScopes,
  rootIo,
  mediaUploadEnabled,
  redact,
  trustBaggage,
}

/**
 * Settings that change nothing before something is recorded: a process starts with no more than a look at whether they
 * are valid.
 */
export const deferredSettings = {
  publicKey,
  secretKey,
  baseUrl,
  environment,
  release,
  timeout,
  shutdownTimeout,
  flushAt,
  flushInterval,
  additionalHeaders,
  rootIo,
  mediaUploadEnabled,
  redact,
  keep,
  compression,
  maxQueueBytes,
  maxRetryAge,
  serviceName,
  resourceAttributes,
  httpProxy,
  httpsProxy,
}

/** `false` switches everything off, without a message. */
export const tracingEnabled = flag(['SVC_TRACING_ENABLED'], true)

/** OpenTelemetry's own switch: `true` switches everything off. */
export const sdkDisabled = flag(['OTEL_SDK_DISABLED'], false)

/**
 * Record content by itself: prompts, answers, tools, and what `observe`, decorators and wrappers capture, whatever their
 * options say. With `false`, `NO_CONTENT` or `EVENT_ONLY` only names, models, tokens, timing and error messages are
 * recorded, and what your code writes on an observation by hand.
 */
export const captureContent = row<boolean>({
  env: ['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'],
  read: (raw) =>
    read.boolean(raw) ?? read.oneOf('SPAN_ONLY', 'SPAN_AND_EVENT', 'EVENT_ONLY', 'NO_CONTENT')(raw)?.startsWith('SPAN'),
  expected: 'true, false, SPAN_ONLY, SPAN_AND_EVENT, EVENT_ONLY or NO_CONTENT',
  default: true,
  // A user who sets this variable wants less to be recorded.
  whenInvalid: READ_AS_FALSE,
})

/**
 * Continue the trace in the `traceparent` of incoming requests: of all (`true`), or of callers that connect from these
 * addresses. Other requests start a new trace, with a link to the one in the header.
 * @default `false`; the first trace that is refused is reported
 */
export const trustTraceparent = trust(['SVC_TRUST_TRACEPARENT'])

/** Run also in processes that are not the app: package managers, compilers, builds, test-runner workers. */
export const force = flag(['SVC_FORCE'], false)

/** Set by Next.js: `phase-production-build` while it builds. */
export const nextPhase = text(['NEXT_PHASE'])

/** Set by AWS Lambda: the file and the export that it calls, `src/index.handler`. */
export const lambdaHandler = text(['_HANDLER'], 'a file and an export')

/** Settings of the log. Read by `log.ts` before anything else. */
export const logSettings = {
  /** Lowest level that is printed: `DEBUG`, `INFO`, `WARN`, `ERROR`, `NONE`. */
  logLevel: row<'DEBUG' | 'INFO' | 'WARN' | 'ERROR' | 'NONE'>({
    env: ['SVC_LOG_LEVEL'],
    read: (raw) => read.oneOf('DEBUG', 'INFO', 'WARN', 'ERROR', 'NONE')(raw),
    expected: 'DEBUG, INFO, WARN, ERROR or NONE',
    default: 'INFO',
  }),
  /** `true` is short for `SVC_LOG_LEVEL=DEBUG`. */
  debug: flag(['SVC_DEBUG'], false),
}
