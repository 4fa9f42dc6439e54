import * as read from './readers.ts'
import type { Setting } from './setting.ts'
import {
  additionalHeaders,
  baseUrl,
  captureContent,
  compression,
  edgeSettings,
  environment,
  flag,
  force,
  httpProxy,
  httpsProxy,
  keep,
  key,
  lambdaHandler,
  list,
  maxQueueBytes,
  maxRetryAge,
  nextPhase,
  publicKey,
  resourceAttributes,
  row,
  sdkDisabled,
  seconds,
  secondsOrNone,
  secretKey,
  serviceName,
  shutdownTimeout,
  text,
  timeout,
  tracingEnabled,
  trustTraceparent,
} from './settings-first.ts'

/**
 * Every variable this project reads: name, order, parsing, default, message. The tables in `docs/configuration.md` are
 * written from here and from `settings-first.ts`.
 */
export {
  captureContent,
  deferredSettings,
  edgeSettings,
  force,
  keepIsSet,
  lambdaHandler,
  logSettings,
  nextPhase,
  publicKey,
  type Redacted,
  resourceAttributes,
  sdkDisabled,
  secretKey,
  serviceName,
  tracingEnabled,
  trustTraceparent,
} from './settings-first.ts'

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

/** Report the ledger of delivery to the meter provider of the application, whose exporters then send it. */
const healthMetrics = flag(['SVC_HEALTH_METRICS'], false)

// A bundler would keep a spread where nobody reads the table.
/** Export to the service: read by `SvcSpanProcessor`. */
export const exportSettings = /* @__PURE__ */ Object.assign({}, edgeSettings, {
  compression,
  spoolDir,
  spool,
  spoolMaxBytes,
  spoolMaxAge,
  keep,
  healthMetrics,
})

/** Network options of all requests, by `SvcSpanProcessor` and `SvcClient`. */
export const networkSettings = {
  httpProxy,
  httpsProxy,
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

/** Set by Next.js: `development` under `next dev`. */
export const nodeEnv = text(['NODE_ENV'])

/** Set by Vercel, whose functions freeze after the answer. */
export const vercel = text(['VERCEL'])

/** Set by AWS Lambda, whose functions freeze after the answer. */
export const lambdaFunction = text(['AWS_LAMBDA_FUNCTION_NAME'])

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
