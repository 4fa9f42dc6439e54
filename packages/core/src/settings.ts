import type { Trust } from './address-ranges.ts'
import { CLOUD_BASE_URL } from './cloud.ts'
import * as read from './readers.ts'
import type { Setting } from './setting.ts'

/**
 * Every variable this project reads: name, order, parsing, default, message. The tables in `docs/configuration.md` are
 * written from here.
 */

// So that bundles leave out the tables they do not read. (Not every bundler looks for this mark in another file.)
/* @__NO_SIDE_EFFECTS__ */
const row = <T>(setting: Setting<T>): Setting<T> => setting

/* @__NO_SIDE_EFFECTS__ */
const flag = (env: readonly string[], value: boolean, whenInvalid?: typeof READ_AS_FALSE): Setting<boolean> => ({
  env,
  read: read.boolean,
  expected: 'true or false',
  default: value,
  whenInvalid,
})

/** For switches that a user sets in order to have less recorded, or to distrust something. */
const READ_AS_FALSE = { value: false, done: 'is read as false' }

/* @__NO_SIDE_EFFECTS__ */
const list = (env: readonly string[], what: string): Setting<readonly string[]> => ({
  env,
  read: read.list,
  expected: `${what} joined by commas`,
  default: [],
})

/* @__NO_SIDE_EFFECTS__ */
const text = (env: readonly string[], expected = 'a text'): Setting<string | undefined> => ({
  env,
  read: read.text,
  expected,
})

/* @__NO_SIDE_EFFECTS__ */
const key = (env: readonly string[]): Setting<string | undefined> => ({
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
const seconds = (env: readonly string[], value: number): Setting<number> => ({
  env,
  read: read.seconds,
  expected: 'a number of seconds above 0',
  default: value,
})

/* @__NO_SIDE_EFFECTS__ */
const secondsOrNone = (env: readonly string[], value: number): Setting<number> => ({
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
const shutdownTimeout = secondsOrNone(['SVC_SHUTDOWN_TIMEOUT'], 2)

/** Variables that change nothing before something is recorded, so that a thread starts without reading them. */
export const LATER_VARIABLES: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'SVC_PUBLIC_KEY',
  'SVC_SECRET_KEY',
  'SVC_BASE_URL',
  'SVC_BASEURL',
  'SVC_TRACING_ENVIRONMENT',
  'SVC_RELEASE',
  'SVC_TIMEOUT',
  'SVC_SHUTDOWN_TIMEOUT',
  'SVC_FLUSH_AT',
  'SVC_FLUSH_INTERVAL',
  'SVC_ADDITIONAL_HEADERS',
  'SVC_ROOT_IO',
  'SVC_MEDIA_UPLOAD_ENABLED',
  'SVC_REDACT',
  'SVC_KEEP',
  'SVC_RECORD',
  'SVC_OTEL_COMPRESSION',
  'SVC_OTEL_MAX_QUEUE_BYTES',
  'SVC_OTEL_MAX_RETRY_AGE',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
])

// Rows that several tables share, outside of them, so that a bundle with one table does not contain the others.

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
const baseUrl = row<string | undefined>({
  env: ['SVC_BASE_URL', 'SVC_BASEURL'],
  read: read.httpUrl,
  expected: 'a URL such as http://127.0.0.1:3939, without user name and password',
  default: CLOUD_BASE_URL,
  // Falling back to the hosted service would send a self-hosted team's prompts to the wrong place.
  whenInvalid: { value: undefined, done: 'is not usable, so nothing is sent' },
})

/** Environment of every span, for example `production`. Converted to lower case. */
const environment = row<string | undefined>({
  env: ['SVC_TRACING_ENVIRONMENT'],
  read: read.environmentName,
  expected: 'at most 40 of a-z 0-9 - _, not starting with "svc"',
})

/** Time-out of a request, in seconds. Failed requests are retried: `SVC_OTEL_MAX_RETRY_AGE`. */
const timeout = seconds(['SVC_TIMEOUT'], 5)

/**
 * Size limit of the export queue: compressed bytes that wait or are being sent. Above it the newest spans are dropped and
 * counted. The scores of `@svc/client` have a queue of the same size.
 * @default 64 MiB, or a quarter of the heap limit if that is less
 */
const maxQueueBytes = row<number | undefined>({
  env: ['SVC_OTEL_MAX_QUEUE_BYTES'],
  read: read.count,
  expected: 'a whole number of bytes above 0',
})

/** Seconds for which spans and scores are retried while the service is down. */
const maxRetryAge = seconds(['SVC_OTEL_MAX_RETRY_AGE'], 900)

/**
 * Folder for spans and scores that exceed the queue limit, are too old, or remain when the process exits. They are sent
 * when the service is back, also by the next process. Several processes may share it.
 */
const spoolDir = text(['SVC_OTEL_SPOOL_DIR'], 'a path')

/** `always` writes every span and score to disk within 50 ms, so that a killed process loses no more than that. */
const spool = row<'overflow' | 'always'>({
  env: ['SVC_OTEL_SPOOL'],
  read: /* @__PURE__ */ read.oneOf('overflow', 'always'),
  expected: 'overflow or always',
  default: 'overflow',
})

/**
 * Size limit of the folder, in bytes. Above it the process's oldest file is deleted, and its spans are counted as lost.
 * @default 256 MiB
 */
const spoolMaxBytes = row<number>({
  env: ['SVC_OTEL_SPOOL_MAX_BYTES'],
  read: read.count,
  expected: 'a whole number of bytes above 0',
  default: 268_435_456,
})

/**
 * Seconds for which spans and scores are kept in the folder.
 * @default `259200` (3 days)
 */
const spoolMaxAge = seconds(['SVC_OTEL_SPOOL_MAX_AGE'], 259_200)

/**
 * Headers added to every request: `k=v,k2=v2`, values percent-encoded. They override ours, regardless of case.
 * @default none
 */
const additionalHeaders = row<Readonly<Record<string, string>>>({
  env: ['SVC_ADDITIONAL_HEADERS'],
  read: read.headers,
  expected: 'name=value pairs joined by commas, values percent-encoded',
  default: {},
  secret: true,
})

/** Release of every span, for example a commit hash. */
const release = text(['SVC_RELEASE'])

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
const compression = row<'gzip' | 'none' | undefined>({
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

/** Report the ledger of delivery to the meter provider of the application, whose exporters then send it. */
const healthMetrics = flag(['SVC_HEALTH_METRICS'], false)

/** Extract base64 media from spans and upload it separately. */
const mediaUploadEnabled = flag(['SVC_MEDIA_UPLOAD_ENABLED'], true)

/**
 * Set user, session, tags, … from the `svc_*` baggage of incoming requests: of all (`true`), or of callers that connect
 * from these addresses. See [from service to service](service-to-service.md#the-called-service).
 * @default `false`; the first baggage that is refused is reported
 */
const trustBaggage = trust(['SVC_TRUST_BAGGAGE'])

/**
 * What is replaced by a mark in all texts of spans, before they are sent: `secrets` (always among them), `email`, `phone`,
 * `card`, `iban`, `ip`; or `none`. See [redaction](privacy.md#redaction).
 */
const redact = row<readonly Redacted[]>({
  env: ['SVC_REDACT'],
  read: /* @__PURE__ */ read.someOf('secrets', 'email', 'phone', 'card', 'iban', 'ip', 'none'),
  expected: 'secrets, email, phone, card, iban, ip or none, joined by commas',
  default: ['secrets'],
  // Whoever sets it wants less to be sent.
  whenInvalid: { value: ['email', 'phone', 'card', 'iban', 'ip'], done: 'is read as all of them' },
})

/**
 * Rules for whole traces: `errors`, `slow:5s`, `cost:0.10`, `scored`, `users:a|b`, `rest:0.1`. A trace for which none holds
 * is not sent. See [sampling](sampling.md#by-rules).
 * @default none; every trace is kept
 */
const keep = row<readonly string[] | undefined>({
  env: ['SVC_KEEP'],
  read: read.keepRules,
  expected: 'errors, slow:5s, cost:0.10, scored, users:a|b and rest:0.1, joined by commas',
  // Nothing is lost by a slip.
  whenInvalid: { value: undefined, done: 'is ignored, so every trace is kept' },
})

/** Whether {@link keep} is set, for edge functions, which cannot follow its rules. */
export const keepIsSet = row<boolean>({ env: ['SVC_KEEP'], read: Boolean, expected: 'rules', default: false })

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

/** Export to the service: read by `SvcSpanProcessor`. */
export const exportSettings = {
  ...edgeSettings,
  compression,
  spoolDir,
  spool,
  spoolMaxBytes,
  spoolMaxAge,
  keep,
  healthMetrics,
}

/** Network options of all requests, by `SvcSpanProcessor` and `SvcClient`. */
export const networkSettings = {
  /** Proxy for `http://` addresses. Loopback addresses are never proxied. */
  httpProxy: proxy(['http_proxy', 'HTTP_PROXY']),
  /** Proxy for `https://` addresses. */
  httpsProxy: proxy(['https_proxy', 'HTTPS_PROXY']),
  /**
   * Hosts that are not proxied: `host`, `.suffix`, `host:port`, or `*`.
   * @default none
   */
  noProxy: list(['no_proxy', 'NO_PROXY'], 'hosts'),
  /** File with the CA certificates (PEM) to verify the service with, instead of those that Node trusts. */
  certificate: text(['OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE', 'OTEL_EXPORTER_OTLP_CERTIFICATE'], 'a path'),
  /** File with the client certificate (PEM). */
  clientCertificate: text(
    ['OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE', 'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE'],
    'a path',
  ),
  /** File with the key (PEM) of the client certificate. */
  clientKey: text(['OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY', 'OTEL_EXPORTER_OTLP_CLIENT_KEY'], 'a path'),
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

/**
 * Continue the trace in the `traceparent` of incoming requests: of all (`true`), or of callers that connect from these
 * addresses. Other requests start a new trace, with a link to the one in the header.
 * @default `false`; the first trace that is refused is reported
 */
export const trustTraceparent = trust(['SVC_TRUST_TRACEPARENT'])

/** Run also in processes that are not the app: package managers, compilers, builds, test-runner workers. */
export const force = flag(['SVC_FORCE'], false)

/** How the preload behaves in this process. */
export const preloadSettings = {
  tracingEnabled,
  sdkDisabled,
  force,
  /**
   * Load everything at start, including what the first span or request would load. For serverless functions, which often
   * start before their first request arrives.
   */
  eager: flag(['SVC_EAGER'], false),
  /**
   * A module whose default export has options of `SvcSpanProcessor`, such as `mask` and `shouldExportSpan`. Relative to the
   * working directory.
   */
  configFile: text(['SVC_CONFIG_FILE'], 'a path'),
  /**
   * Enable only these instrumentations: ours (`openai`) or OpenTelemetry's (`http`, `express`, `pg`, …).
   * @default all LLM libraries
   */
  instrumentations: row<readonly string[] | undefined>({
    env: ['SVC_INSTRUMENTATIONS', 'OTEL_NODE_ENABLED_INSTRUMENTATIONS'],
    read: read.list,
    expected: 'names joined by commas',
  }),
  /**
   * Disable these instrumentations.
   * @default none
   */
  disabledInstrumentations: list(['SVC_DISABLED_INSTRUMENTATIONS', 'OTEL_NODE_DISABLED_INSTRUMENTATIONS'], 'names'),
  /**
   * Record requests to models from the requests themselves, whoever sends them: `fetch`, undici, `node:http`,
   * `node:http2`. With `known-hosts` only those to the hosts of providers, with `off` none. What an instrumented library
   * sends is recorded by its instrumentation.
   */
  wire: row<'on' | 'known-hosts' | 'off'>({
    env: ['SVC_WIRE'],
    read: /* @__PURE__ */ read.oneOf('on', 'known-hosts', 'off'),
    expected: 'on, known-hosts or off',
    default: 'on',
    // Whoever sets it wants less.
    whenInvalid: { value: 'off', done: 'is read as off' },
  }),
  /**
   * Hosts whose requests are not recorded from themselves, with all below them: `models.example.com`.
   * @default none
   */
  wireBlockedHosts: list(['SVC_WIRE_BLOCKED_HOSTS'], 'hosts'),
  /**
   * `raw` keeps the answers of models as they came, up to `SVC_CONTENT_MAX_BYTES` for a call, for
   * [replay](replay.md#raw-answers). For a service on this machine only.
   * @default none
   */
  record: row<'raw' | undefined>({
    env: ['SVC_RECORD'],
    read: /* @__PURE__ */ read.oneOf('raw'),
    expected: 'raw',
  }),
  /**
   * Export the HTTP request (`POST /chat/:id`, route, status) as the root observation: with `auto` only of instrumented
   * calls outside of any observation, with `true` of everything, with `false` never.
   */
  httpRoot: row<'auto' | boolean>({
    env: ['SVC_HTTP_ROOT'],
    read: (raw) => read.oneOf('auto')(raw) ?? read.boolean(raw),
    expected: 'auto, true or false',
    default: 'auto',
  }),
  shutdownTimeout,
  /**
   * Seconds that the end of an invocation of AWS Lambda may wait for its spans and scores. What is not delivered by then
   * waits for the next invocation.
   */
  invocationTimeout: secondsOrNone(['SVC_INVOCATION_TIMEOUT'], 0.5),
  captureContent,
  /**
   * Size limit of an attribute with content, in bytes: the messages of a prompt, an answer, tool definitions, and what
   * `observe` and `captureInput`/`captureOutput` record. The rest is replaced by `[truncated by svc: …]`.
   */
  contentMaxBytes: row<number>({
    env: ['SVC_CONTENT_MAX_BYTES'],
    read: read.count,
    expected: 'a whole number of bytes above 0',
    default: 1_000_000,
  }),
  /**
   * Allow HTTP instrumentations and libraries to send `traceparent` and baggage to model vendors. Off by default: vendors
   * are not part of your trace, and baggage contains users.
   */
  propagateToVendors: flag(['SVC_PROPAGATE_TO_VENDORS'], false),
  serviceName,
  resourceAttributes,
  /** OpenTelemetry's sampler. */
  sampler: row<
    | 'always_on'
    | 'always_off'
    | 'traceidratio'
    | 'parentbased_always_on'
    | 'parentbased_always_off'
    | 'parentbased_traceidratio'
  >({
    env: ['OTEL_TRACES_SAMPLER'],
    read: /* @__PURE__ */ read.oneOf(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
    expected: 'a sampler of the OpenTelemetry specification, for example parentbased_traceidratio',
    default: 'parentbased_always_on',
  }),
  /** Ratio of the `traceidratio` samplers. */
  samplerArgument: row<number>({
    env: ['OTEL_TRACES_SAMPLER_ARG'],
    read: read.ratio,
    expected: 'a number from 0 to 1',
    default: 1,
  }),
  trustTraceparent,
  /**
   * Origins to which `fetch` and `node:http` send `traceparent`, and baggage set with `asBaggage`: services of your own.
   * See [from service to service](service-to-service.md).
   * @default none
   */
  propagateTo: row<readonly string[]>({
    env: ['SVC_PROPAGATE_TO'],
    read: read.origins,
    expected: 'origins such as http://orders:3001, joined by commas',
    default: [],
  }),
  /**
   * Propagation formats: `tracecontext`, `baggage`, `b3`, `b3multi`, `none`.
   * @default `tracecontext,baggage`
   */
  propagators: row<readonly string[]>({
    env: ['OTEL_PROPAGATORS'],
    read: read.list,
    expected: 'tracecontext, baggage, b3, b3multi or none, joined by commas',
    default: ['tracecontext', 'baggage'],
  }),
  /**
   * Attributes a span may have.
   * @default OpenTelemetry's own
   */
  spanAttributeCountLimit: limit('OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT', 'OTEL_ATTRIBUTE_COUNT_LIMIT'),
  /**
   * Characters an attribute value may have.
   * @default OpenTelemetry's own
   */
  spanAttributeValueLengthLimit: limit('OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT', 'OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT'),
  /**
   * Events a span may have.
   * @default OpenTelemetry's own
   */
  spanEventCountLimit: limit('OTEL_SPAN_EVENT_COUNT_LIMIT'),
  /**
   * Links a span may have.
   * @default OpenTelemetry's own
   */
  spanLinkCountLimit: limit('OTEL_SPAN_LINK_COUNT_LIMIT'),
  /**
   * Attributes an event may have.
   * @default OpenTelemetry's own
   */
  eventAttributeCountLimit: limit('OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT', 'OTEL_SPAN_ATTRIBUTE_PER_EVENT_COUNT_LIMIT'),
  /**
   * Attributes a link may have.
   * @default OpenTelemetry's own
   */
  linkAttributeCountLimit: limit('OTEL_LINK_ATTRIBUTE_COUNT_LIMIT', 'OTEL_SPAN_ATTRIBUTE_PER_LINK_COUNT_LIMIT'),
  /**
   * A second destination for all spans (`otlp`, `zipkin`, `console`). Loads OpenTelemetry's SDK.
   * @default none
   */
  tracesExporter: row<readonly ('otlp' | 'zipkin' | 'console' | 'none')[]>({
    env: ['OTEL_TRACES_EXPORTER'],
    read: /* @__PURE__ */ read.someOf('otlp', 'zipkin', 'console', 'none'),
    expected: 'otlp, zipkin, console or none, joined by commas',
    default: [],
  }),
  /** A second destination for all spans, over OTLP. Loads OpenTelemetry's SDK. */
  otlpEndpoint: row<string | undefined>({
    env: ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    read: read.endpoint,
    expected: 'a URL that begins with http:// or https://',
  }),
  /** Count calls of models, agents, tools and MCP as OpenTelemetry's [GenAI metrics](metrics.md). */
  genAiMetrics: flag(['SVC_GENAI_METRICS'], false),
  /**
   * Where metrics go without a meter provider of the application: `otlp`, `prometheus`, `console`. Loads OpenTelemetry's
   * SDK.
   * @default none
   */
  metricsExporter: row<readonly ('otlp' | 'prometheus' | 'console' | 'none')[]>({
    env: ['OTEL_METRICS_EXPORTER'],
    read: /* @__PURE__ */ read.someOf('otlp', 'prometheus', 'console', 'none'),
    expected: 'otlp, prometheus, console or none, joined by commas',
    default: [],
  }),
  /**
   * With `gen_ai_latest_experimental`, a second destination and [GenAI metrics](metrics.md) have the names of the
   * conventions since their last release.
   * @default none
   */
  conventions: list(['OTEL_SEMCONV_STABILITY_OPT_IN'], 'names of conventions'),
}

/** Where metrics can be scraped, with `OTEL_METRICS_EXPORTER=prometheus`. */
export const prometheusSettings = {
  /** Address to listen at. */
  host: text(['OTEL_EXPORTER_PROMETHEUS_HOST'], 'a host'),
  /** Port to listen at. */
  port: row<number>({
    env: ['OTEL_EXPORTER_PROMETHEUS_PORT'],
    read: read.nonNegative,
    expected: 'a port',
    default: 9_464,
  }),
}

/** Settings of `SvcClient`. Rows shared with other tables have the description that fits here. */
export const clientSettings = {
  publicKey,
  secretKey,
  baseUrl,
  additionalHeaders,
  /** Environment of scores without their own. Converted to lower case. */
  environment,
  /**
   * Time-out of a batch of scores and of each request of a manager, with its retries, in seconds. Calls of `client.api`
   * have 60.
   */
  timeout,
  /**
   * Number of scores after which a batch is sent; at most 100 in a request. The span export reads the same variable
   * (default 512).
   */
  flushAt: row<number>({
    env: ['SVC_FLUSH_AT'],
    read: read.count,
    expected: 'a whole number above 0',
    default: 10,
  }),
  /** Seconds that a score waits at most before its batch is sent. */
  flushInterval: seconds(['SVC_FLUSH_INTERVAL'], 1),
  maxQueueBytes,
  maxRetryAge,
  spoolDir,
  spool,
  spoolMaxBytes,
  spoolMaxAge,
  shutdownTimeout,
}

/** Read by `svcExperiment` of `@svc/client/vitest`, in addition to the settings of the client. */
export const experimentSettings = {
  /** Folder for the summaries of `svcExperiment`: `<name>.json` and `<name>.md`. */
  summaryDir: text(['SVC_EXPERIMENT_SUMMARY_DIR'], 'a path'),
}

/** Read by `svc migrate`, in addition to the settings of the client. */
export const migrateSettings = {
  /** API key of the source platform, for `svc migrate datasets`. Never printed. */
  sourceApiKey: key(['SOURCE_API_KEY']),
}

/** Settings of the playground in the viewer of `svc local`. */
export const playgroundSettings = {
  /** Key for OpenAI, or a service with a compatible API. Never printed. */
  openaiKey: key(['OPENAI_API_KEY']),
  /** Base URL of OpenAI, with its version: `https://api.openai.com/v1`. */
  openaiBaseUrl: row<string | undefined>({
    env: ['OPENAI_BASE_URL'],
    read: read.httpUrl,
    expected: 'a URL such as https://api.openai.com/v1, without user name and password',
    // A key for a gateway is not sent to the vendor instead.
    whenInvalid: { value: '', done: 'is not usable, so the playground does not call it' },
  }),
  /** Key for Anthropic. Never printed. */
  anthropicKey: key(['ANTHROPIC_API_KEY']),
  /** Base URL of Anthropic: `https://api.anthropic.com`. */
  anthropicBaseUrl: row<string | undefined>({
    env: ['ANTHROPIC_BASE_URL'],
    read: read.httpUrl,
    expected: 'a URL such as https://api.anthropic.com, without user name and password',
    // A key for a gateway is not sent to the vendor instead.
    whenInvalid: { value: '', done: 'is not usable, so the playground does not call it' },
  }),
}

/** Node's own: `0` takes any certificate. */
export const rejectUnauthorized = row<boolean>({
  env: ['NODE_TLS_REJECT_UNAUTHORIZED'],
  read: (raw) => raw !== '0',
  expected: '0 or 1',
  default: true,
})

/** Set by Next.js: which of its runtimes is running. */
export const nextRuntime = row<'nodejs' | 'edge' | undefined>({
  env: ['NEXT_RUNTIME'],
  read: /* @__PURE__ */ read.oneOf('nodejs', 'edge'),
  expected: 'nodejs or edge',
})

/** Set by Next.js: `phase-production-build` while it builds. */
export const nextPhase = text(['NEXT_PHASE'])

/** Set by Next.js: `development` under `next dev`. */
export const nodeEnv = text(['NODE_ENV'])

/** Set by Vercel, whose functions freeze after the answer. */
export const vercel = text(['VERCEL'])

/** Set by AWS Lambda, whose functions freeze after the answer. */
export const lambdaFunction = text(['AWS_LAMBDA_FUNCTION_NAME'])

/** Set by AWS Lambda: the file and the export that it calls, `src/index.handler`. */
export const lambdaHandler = text(['_HANDLER'], 'a file and an export')

/** Set by AWS Lambda: the folder of the function. */
export const lambdaRoot = text(['LAMBDA_TASK_ROOT'], 'a folder')

/** Set by AWS Lambda: why the process was started, `on-demand`, `provisioned-concurrency` or `snap-start`. */
export const lambdaStart = text(['AWS_LAMBDA_INITIALIZATION_TYPE'])

/** Set by AWS Lambda for each invocation: its trace in X-Ray. */
export const lambdaTrace = text(['_X_AMZN_TRACE_ID'])

/** Facts about the host, set by a framework and not by the user. */
export const hostSettings = {
  nextRuntime,
  nextPhase,
  nodeEnv,
  vercel,
  lambdaFunction,
  lambdaHandler,
  lambdaRoot,
  lambdaStart,
  lambdaTrace,
}

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

/* @__NO_SIDE_EFFECTS__ */
function limit(...env: string[]): Setting<number | undefined> {
  return {
    env,
    read: (raw) => {
      const value = read.nonNegative(raw)
      return Number.isSafeInteger(value) ? value : undefined
    },
    expected: 'a whole number, 0 or more',
  }
}
