import { CLOUD_BASE_URL } from './cloud.ts'
import * as read from './readers.ts'
import type { Setting } from './setting.ts'

/**
 * Every variable this project reads: name, order, reading, default, words. `docs/configuration.md` is checked
 * against these tables. A new variable is one row here and one row there.
 */

// So that bundles leave out the tables they do not read. (Not every bundler looks for this mark in another file.)
/* @__NO_SIDE_EFFECTS__ */
const row = <T>(setting: Setting<T>): Setting<T> => setting

const shutdownTimeout = row<number>({
  env: ['SVC_SHUTDOWN_TIMEOUT'],
  read: read.secondsOrNone,
  expected: 'a number of seconds, 0 or more',
  default: 2,
  doc: 'Seconds the end of the process may wait for the last spans and scores, and a `shutdown()` as a whole.',
})

// Rows of several tables, apart: who bundles one table does not get the others.

export const publicKey = row<string | undefined>({
  env: ['SVC_PUBLIC_KEY'],
  read: read.printable,
  expected: 'a public key, in plain ASCII',
  default: undefined,
  doc: 'Public API key of the project.',
})

export const secretKey = row<string | undefined>({
  env: ['SVC_SECRET_KEY'],
  read: read.text,
  expected: 'a secret key',
  default: undefined,
  secret: true,
  doc: 'Secret API key of the project. Never printed.',
})

const baseUrl = row<string | undefined>({
  env: ['SVC_BASE_URL', 'SVC_BASEURL'],
  read: read.httpUrl,
  expected: 'a URL such as http://127.0.0.1:3939, without user name and password',
  default: CLOUD_BASE_URL,
  defaultText: 'the hosted service (EU)',
  // Falling back to the hosted service would send a self-hosted team's prompts to somebody else.
  afterNonsense: { value: undefined, done: 'is not usable, so nothing is sent' },
  doc: 'Base URL of the service. Trailing slashes are cut; a path is kept.',
})

const environment = row<string | undefined>({
  env: ['SVC_TRACING_ENVIRONMENT'],
  read: read.environmentName,
  expected: 'at most 40 of a-z 0-9 - _, not starting with "svc"',
  default: undefined,
  doc: 'Environment written on every span, for example `production`. Capitals are lowered.',
})

const timeout = row<number>({
  env: ['SVC_TIMEOUT'],
  read: read.seconds,
  expected: 'a number of seconds above 0',
  default: 5,
  doc: 'Seconds one request may take. What fails is tried again: `SVC_OTEL_MAX_RETRY_AGE`.',
})

const maxQueueBytes = row<number | undefined>({
  env: ['SVC_OTEL_MAX_QUEUE_BYTES'],
  read: read.count,
  expected: 'a whole number of bytes above 0',
  default: undefined,
  defaultText: '64 MiB, or a quarter of the heap limit where that is less',
  doc: 'Bytes of memory, compressed, that may wait to be sent or be under way. The newest spans are dropped beyond it, and counted. The scores of `@svc/client` have as many of their own.',
})

const maxRetryAge = row<number>({
  env: ['SVC_OTEL_MAX_RETRY_AGE'],
  read: read.seconds,
  expected: 'a number of seconds above 0',
  default: 900,
  doc: 'Seconds that spans and scores are tried for while the service is away.',
})

const spoolDir = row<string | undefined>({
  env: ['SVC_OTEL_SPOOL_DIR'],
  read: read.text,
  expected: 'a path',
  default: undefined,
  doc: 'Folder in which spans and scores are kept that memory has no room for, that are too old, or that are left at the end of the process. They are sent when the service is back, also by the next start. Several processes may share it.',
})

const spool = row<'overflow' | 'always'>({
  env: ['SVC_OTEL_SPOOL'],
  read: /* @__PURE__ */ read.oneOf('overflow', 'always'),
  expected: 'overflow or always',
  default: 'overflow',
  doc: '`always` writes every span and score down within 50 ms, so that a process that is killed loses no more than that.',
})

const spoolMaxBytes = row<number>({
  env: ['SVC_OTEL_SPOOL_MAX_BYTES'],
  read: read.count,
  expected: 'a whole number of bytes above 0',
  default: 268_435_456,
  defaultText: '256 MiB',
  doc: 'Bytes that the folder may take. The oldest file of the process is dropped beyond it, and what was in it is counted.',
})

const spoolMaxAge = row<number>({
  env: ['SVC_OTEL_SPOOL_MAX_AGE'],
  read: read.seconds,
  expected: 'a number of seconds above 0',
  default: 259_200,
  defaultText: '`259200` (3 days)',
  doc: 'Seconds that spans and scores are kept in the folder.',
})

const additionalHeaders = row<Readonly<Record<string, string>>>({
  env: ['SVC_ADDITIONAL_HEADERS'],
  read: read.headers,
  expected: 'name=value pairs joined by commas, values percent-encoded',
  default: {},
  defaultText: 'none',
  secret: true,
  doc: 'Headers added to every request: `k=v,k2=v2`, values percent-encoded. They override ours, whatever the case.',
})

/** What reaches the service: `SvcSpanProcessor` reads these. */
export const exportSettings = {
  publicKey,
  secretKey,
  baseUrl,
  environment,
  release: row<string | undefined>({
    env: ['SVC_RELEASE'],
    read: read.text,
    expected: 'a text',
    default: undefined,
    doc: 'Release written on every span, for example a commit hash.',
  }),
  timeout,
  flushAt: row<number>({
    env: ['SVC_FLUSH_AT', 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE'],
    read: read.count,
    expected: 'a whole number above 0',
    default: 512,
    doc: 'Spans that make a batch. The score queue of `@svc/client` reads the same variable (default 10 there).',
  }),
  flushInterval: row<number>({
    env: ['SVC_FLUSH_INTERVAL', 'OTEL_BSP_SCHEDULE_DELAY'],
    read: (said, variable) => {
      const value = read.seconds(said)
      return variable === 'OTEL_BSP_SCHEDULE_DELAY' && value !== undefined ? value / 1_000 : value
    },
    expected: 'a number above 0',
    default: 5,
    doc: 'Seconds a span waits at most before its batch leaves. `OTEL_BSP_SCHEDULE_DELAY` is in milliseconds.',
  }),
  compression: row<'gzip' | 'none' | undefined>({
    env: ['SVC_OTEL_COMPRESSION', 'OTEL_EXPORTER_OTLP_TRACES_COMPRESSION', 'OTEL_EXPORTER_OTLP_COMPRESSION'],
    read: /* @__PURE__ */ read.oneOf('gzip', 'none'),
    expected: 'gzip or none',
    default: undefined,
    defaultText: '`gzip` on Node.js and Bun, `none` elsewhere',
    doc: 'Compression of span batches. A runtime that cannot compress never does.',
  }),
  maxQueueBytes,
  maxRetryAge,
  spoolDir,
  spool,
  spoolMaxBytes,
  spoolMaxAge,
  shutdownTimeout,
  ingestionVersion: row<3 | 4>({
    env: ['SVC_INGESTION_VERSION'],
    read: read.ingestionVersion,
    expected: '4 or 3',
    default: 4,
    doc: 'Value of the `x-svc-ingestion-version` header: `4` real-time processing, `3` opts out.',
  }),
  additionalHeaders,
  allowedScopes: row<readonly string[]>({
    env: ['SVC_OTEL_ALLOWED_SCOPES'],
    read: read.list,
    expected: 'scope names joined by commas',
    default: [],
    defaultText: 'none',
    doc: 'Instrumentation scopes kept beside the LLM ones: comma list, `*` at the end makes a prefix.',
  }),
  blockedScopes: row<readonly string[]>({
    env: ['SVC_OTEL_BLOCKED_SCOPES'],
    read: read.list,
    expected: 'scope names joined by commas',
    default: [],
    defaultText: 'none',
    doc: 'Instrumentation scopes dropped whatever else is said: comma list, `*` at the end makes a prefix.',
  }),
  rootIo: row<boolean>({
    env: ['SVC_ROOT_IO'],
    read: read.boolean,
    expected: 'true or false',
    default: true,
    // Who touches this variable wants to see less.
    afterNonsense: { value: false, done: 'is read as false' },
    doc: 'A root without input and output of its own shows the first question and the last answer of the model calls below it: the service takes those of a trace from its root.',
  }),
  mediaUploadEnabled: row<boolean>({
    env: ['SVC_MEDIA_UPLOAD_ENABLED'],
    read: read.boolean,
    expected: 'true or false',
    default: true,
    doc: 'Lift base64 media out of spans and upload it apart.',
  }),
  trustBaggage: row<boolean>({
    env: ['SVC_TRUST_BAGGAGE'],
    read: read.boolean,
    expected: 'true or false',
    default: true,
    // Who touches this variable wants to refuse something.
    afterNonsense: { value: false, done: 'is read as false' },
    doc: 'Take user, session, tags, … from `svc_*` baggage that arrives with requests. `false` where clients are not yours: whoever sends a header would decide whose trace it is.',
  }),
}

/** How requests travel: what `SvcSpanProcessor` and `SvcClient` send goes this way. */
export const networkSettings = {
  httpProxy: row<string | undefined>({
    env: ['http_proxy', 'HTTP_PROXY'],
    read: read.proxyUrl,
    expected: 'a URL such as http://proxy.example.com:3128',
    default: undefined,
    secret: true,
    doc: 'Proxy for `http://` addresses. Loopback is reached without.',
  }),
  httpsProxy: row<string | undefined>({
    env: ['https_proxy', 'HTTPS_PROXY'],
    read: read.proxyUrl,
    expected: 'a URL such as http://proxy.example.com:3128',
    default: undefined,
    secret: true,
    doc: 'Proxy for `https://` addresses.',
  }),
  noProxy: row<readonly string[]>({
    env: ['no_proxy', 'NO_PROXY'],
    read: read.list,
    expected: 'hosts joined by commas',
    default: [],
    defaultText: 'none',
    doc: 'Hosts reached without a proxy: `host`, `.suffix`, `host:port`, or `*`.',
  }),
  certificate: row<string | undefined>({
    env: ['OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE', 'OTEL_EXPORTER_OTLP_CERTIFICATE'],
    read: read.text,
    expected: 'a path',
    default: undefined,
    doc: "File with the certificates (PEM) that the service's own is checked against, in place of those that Node trusts.",
  }),
  clientCertificate: row<string | undefined>({
    env: ['OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE', 'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE'],
    read: read.text,
    expected: 'a path',
    default: undefined,
    doc: 'File with the certificate (PEM) that is shown to the service.',
  }),
  clientKey: row<string | undefined>({
    env: ['OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY', 'OTEL_EXPORTER_OTLP_CLIENT_KEY'],
    read: read.text,
    expected: 'a path',
    default: undefined,
    doc: 'File with the key (PEM) of that certificate.',
  }),
}

/** How the preload behaves in this process. */
export const preloadSettings = {
  tracingEnabled: row<boolean>({
    env: ['SVC_TRACING_ENABLED'],
    read: read.boolean,
    expected: 'true or false',
    default: true,
    doc: '`false` switches everything off and says nothing.',
  }),
  sdkDisabled: row<boolean>({
    env: ['OTEL_SDK_DISABLED'],
    read: read.boolean,
    expected: 'true or false',
    default: false,
    doc: "OpenTelemetry's own switch: `true` switches everything off.",
  }),
  force: row<boolean>({
    env: ['SVC_FORCE'],
    read: read.boolean,
    expected: 'true or false',
    default: false,
    doc: 'Run also in processes that are not the app: package managers, compilers, builds, test-runner workers.',
  }),
  configFile: row<string | undefined>({
    env: ['SVC_CONFIG_FILE'],
    read: read.text,
    expected: 'a path',
    default: undefined,
    doc: 'A module whose default export holds what a variable cannot say: `mask`, `shouldExportSpan`, and any option of `SvcSpanProcessor`. Relative to the working directory.',
  }),
  instrumentations: row<readonly string[] | undefined>({
    env: ['SVC_INSTRUMENTATIONS', 'OTEL_NODE_ENABLED_INSTRUMENTATIONS'],
    read: read.list,
    expected: 'names joined by commas',
    default: undefined,
    defaultText: 'all LLM libraries',
    doc: 'Only these instrumentations: ours (`openai`) or of the OpenTelemetry catalogue (`http`, `express`, `pg`, …).',
  }),
  disabledInstrumentations: row<readonly string[]>({
    env: ['SVC_DISABLED_INSTRUMENTATIONS', 'OTEL_NODE_DISABLED_INSTRUMENTATIONS'],
    read: read.list,
    expected: 'names joined by commas',
    default: [],
    defaultText: 'none',
    doc: 'Never these instrumentations.',
  }),
  httpRoot: row<'auto' | boolean>({
    env: ['SVC_HTTP_ROOT'],
    read: (said) => read.oneOf('auto')(said) ?? read.boolean(said),
    expected: 'auto, true or false',
    default: 'auto',
    doc: 'Export the HTTP request (`POST /chat/:id`, route, status) as the root observation: `auto` of what instrumentations see outside of any observation, `true` of everything, `false` never.',
  }),
  shutdownTimeout,
  captureContent: row<boolean>({
    env: ['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'],
    read: (said) => {
      const word = read.oneOf(
        'true',
        '1',
        'span_only',
        'span_and_event',
        'false',
        '0',
        'no_content',
        'event_only',
      )(typeof said === 'boolean' ? String(said) : said)
      return word === undefined ? undefined : /^(true|1|span)/.test(word)
    },
    expected: 'true, false, SPAN_ONLY, SPAN_AND_EVENT, EVENT_ONLY or NO_CONTENT',
    default: true,
    doc: 'Record prompts and answers. `false`, `NO_CONTENT` and `EVENT_ONLY` leave models, tokens and timing.',
  }),
  contentMaxBytes: row<number>({
    env: ['SVC_CONTENT_MAX_BYTES'],
    read: read.count,
    expected: 'a whole number of bytes above 0',
    default: 1_000_000,
    doc: 'Bytes of text that one attribute with content may have: the messages of a prompt, an answer, tool definitions, and what `observe` and `captureInput`/`captureOutput` record. What does not fit is replaced by `[truncated by svc: …]`.',
  }),
  propagateToVendors: row<boolean>({
    env: ['SVC_PROPAGATE_TO_VENDORS'],
    read: read.boolean,
    expected: 'true or false',
    default: false,
    doc: 'Send `traceparent` and baggage with requests to model vendors too, where an HTTP instrumentation or a library sends them. By default they stay out: vendors are no part of your trace, and baggage names users.',
  }),
  serviceName: row<string | undefined>({
    env: ['OTEL_SERVICE_NAME'],
    read: read.text,
    expected: 'a name',
    default: undefined,
    doc: "OpenTelemetry's name of the service, a resource attribute.",
  }),
  resourceAttributes: row<Readonly<Record<string, string>>>({
    env: ['OTEL_RESOURCE_ATTRIBUTES'],
    read: read.pairs,
    expected: 'key=value pairs joined by commas, values percent-encoded',
    default: {},
    defaultText: 'none',
    doc: "OpenTelemetry's resource attributes: `k=v,k2=v2`, values percent-encoded.",
  }),
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
    doc: "OpenTelemetry's sampler.",
  }),
  samplerArgument: row<number>({
    env: ['OTEL_TRACES_SAMPLER_ARG'],
    read: read.ratio,
    expected: 'a number from 0 to 1',
    default: 1,
    doc: 'Ratio of the `traceidratio` samplers.',
  }),
  trustTraceparent: row<boolean>({
    env: ['SVC_TRUST_TRACEPARENT'],
    read: read.boolean,
    expected: 'true or false',
    default: true,
    // Who touches this variable wants to refuse something.
    afterNonsense: { value: false, done: 'is read as false' },
    doc: 'Continue the trace that `traceparent` of an HTTP request names. `false` where clients are not yours: whoever knows the id of a trace could write into it. Their requests are then traces of their own, with a link to the one that was named.',
  }),
  propagateTo: row<readonly string[]>({
    env: ['SVC_PROPAGATE_TO'],
    read: read.origins,
    expected: 'origins such as http://orders:3001, joined by commas',
    default: [],
    defaultText: 'none',
    doc: 'Services of your own that are told which trace a request belongs to: `fetch` and `node:http` send `traceparent`, and baggage where `asBaggage` asked for it, to these origins and to no other. See [from service to service](service-to-service.md).',
  }),
  propagators: row<readonly string[]>({
    env: ['OTEL_PROPAGATORS'],
    read: read.list,
    expected: 'tracecontext, baggage, b3, b3multi or none, joined by commas',
    default: ['tracecontext', 'baggage'],
    defaultText: '`tracecontext,baggage`',
    doc: 'How trace context enters and leaves the process: `tracecontext`, `baggage`, `b3`, `b3multi`, `none`.',
  }),
  spanAttributeCountLimit: limit('OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT', 'Attributes a span may have.', [
    'OTEL_ATTRIBUTE_COUNT_LIMIT',
  ]),
  spanAttributeValueLengthLimit: limit(
    'OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT',
    'Characters an attribute value may have.',
    ['OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT'],
  ),
  spanEventCountLimit: limit('OTEL_SPAN_EVENT_COUNT_LIMIT', 'Events a span may have.'),
  spanLinkCountLimit: limit('OTEL_SPAN_LINK_COUNT_LIMIT', 'Links a span may have.'),
  eventAttributeCountLimit: limit('OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT', 'Attributes an event may have.', [
    'OTEL_SPAN_ATTRIBUTE_PER_EVENT_COUNT_LIMIT',
  ]),
  linkAttributeCountLimit: limit('OTEL_LINK_ATTRIBUTE_COUNT_LIMIT', 'Attributes a link may have.', [
    'OTEL_SPAN_ATTRIBUTE_PER_LINK_COUNT_LIMIT',
  ]),
  tracesExporter: row<readonly ('otlp' | 'zipkin' | 'console' | 'none')[]>({
    env: ['OTEL_TRACES_EXPORTER'],
    read: /* @__PURE__ */ read.someOf('otlp', 'zipkin', 'console', 'none'),
    expected: 'otlp, zipkin, console or none, joined by commas',
    default: [],
    defaultText: 'none',
    doc: 'A second destination for all spans (`otlp`, `zipkin`, `console`). Loads the standard OpenTelemetry parts.',
  }),
  otlpEndpoint: row<string | undefined>({
    env: ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    read: read.endpoint,
    expected: 'a URL that begins with http:// or https://',
    default: undefined,
    doc: 'A second destination for all spans, over OTLP. Loads the standard OpenTelemetry parts.',
  }),
}

/** How `SvcClient` reaches the service, and when its scores leave. Rows of other tables with the words that fit here. */
export const clientSettings = {
  publicKey,
  secretKey,
  baseUrl,
  additionalHeaders,
  environment: row<string | undefined>({
    ...environment,
    doc: 'Environment of scores that name none. Capitals are lowered.',
  }),
  timeout: row<number>({
    ...timeout,
    doc: 'Seconds that a batch of scores and each request of a manager may take. Calls of `client.api` have 60 of their own.',
  }),
  flushAt: row<number>({
    env: ['SVC_FLUSH_AT'],
    read: read.count,
    expected: 'a whole number above 0',
    default: 10,
    doc: 'Scores that make a batch leave. A request has 100 of them at most. The spans of the preload read the same variable (default 512 there).',
  }),
  flushInterval: row<number>({
    env: ['SVC_FLUSH_INTERVAL'],
    read: read.seconds,
    expected: 'a number above 0',
    default: 1,
    doc: 'Seconds a score waits at most before its batch leaves.',
  }),
  maxQueueBytes,
  maxRetryAge,
  spoolDir,
  spool,
  spoolMaxBytes,
  spoolMaxAge,
  shutdownTimeout,
}

/** Facts about the host, set by a framework and not by the user. */
export const hostSettings = {
  nextRuntime: row<'nodejs' | 'edge' | undefined>({
    env: ['NEXT_RUNTIME'],
    read: /* @__PURE__ */ read.oneOf('nodejs', 'edge'),
    expected: 'nodejs or edge',
    default: undefined,
    doc: 'Set by Next.js: which of its runtimes is running.',
  }),
  nextPhase: row<string | undefined>({
    env: ['NEXT_PHASE'],
    read: read.text,
    expected: 'a phase of Next.js',
    default: undefined,
    doc: 'Set by Next.js: `phase-production-build` while it builds.',
  }),
  nodeEnv: row<string | undefined>({
    env: ['NODE_ENV'],
    read: read.text,
    expected: 'a text',
    default: undefined,
    doc: 'Set by Next.js: `development` under `next dev`.',
  }),
  vercel: row<string | undefined>({
    env: ['VERCEL'],
    read: read.text,
    expected: 'any text',
    default: undefined,
    doc: 'Set by Vercel, whose functions freeze after the answer.',
  }),
  rejectUnauthorized: row<boolean>({
    env: ['NODE_TLS_REJECT_UNAUTHORIZED'],
    read: (said) => said !== '0',
    expected: '0 or 1',
    default: true,
    doc: "Node's own: `0` takes any certificate.",
  }),
  lambdaFunction: row<string | undefined>({
    env: ['AWS_LAMBDA_FUNCTION_NAME'],
    read: read.text,
    expected: 'any text',
    default: undefined,
    doc: 'Set by AWS Lambda, whose functions freeze after the answer.',
  }),
}

/** How much the packages say. Read by `log.ts` before anything else. */
export const logSettings = {
  logLevel: row<'DEBUG' | 'INFO' | 'WARN' | 'ERROR' | 'NONE'>({
    env: ['SVC_LOG_LEVEL'],
    read: (said) => read.oneOf('DEBUG', 'INFO', 'WARN', 'ERROR', 'NONE')(said),
    expected: 'DEBUG, INFO, WARN, ERROR or NONE',
    default: 'INFO',
    doc: 'Lowest level that is printed: `DEBUG`, `INFO`, `WARN`, `ERROR`, `NONE`.',
  }),
  debug: row<boolean>({
    env: ['SVC_DEBUG'],
    read: read.boolean,
    expected: 'true or false',
    default: false,
    doc: '`true` is short for `SVC_LOG_LEVEL=DEBUG`.',
  }),
}

/* @__NO_SIDE_EFFECTS__ */
function limit(variable: string, doc: string, more: string[] = []): Setting<number | undefined> {
  return {
    env: [variable, ...more],
    read: (said) => {
      const value = read.nonNegative(said)
      return Number.isSafeInteger(value) ? value : undefined
    },
    expected: 'a whole number, 0 or more',
    default: undefined,
    defaultText: "OpenTelemetry's own",
    doc,
  }
}
