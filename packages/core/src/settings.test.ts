import { describe, expect, it } from 'vitest'
import { CLOUD_BASE_URL } from './cloud.ts'
import { environmentOf } from './environment.ts'
import { readSettings, type SettingTable } from './setting.ts'
import {
  clientSettings,
  exportSettings,
  hostSettings,
  logSettings,
  networkSettings,
  preloadSettings,
  rejectUnauthorized,
} from './settings.ts'

const TABLES: Record<string, SettingTable> = {
  exportSettings,
  networkSettings,
  preloadSettings,
  clientSettings,
  logSettings,
  hostSettings,
}
const rows = Object.values(TABLES).flatMap((table) =>
  Object.entries(table).map(([name, row]) => ({ name, row, table })),
)

function read<Table extends SettingTable>(table: Table, variables: Record<string, string> = {}) {
  const lines: string[] = []
  return { settings: readSettings(table, {}, environmentOf(variables), (line) => lines.push(line)), lines }
}

describe('the settings tables', () => {
  it('name each variable once, except for the client, which has other option names', () => {
    // Two tables may share a row.
    const distinct = new Set(rows.filter(({ table }) => table !== clientSettings).map(({ row }) => row))
    const names = [...distinct].flatMap(({ env }) => env)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it.each(rows)('describe the expected value of $name', ({ row }) => {
    expect(row.expected).not.toBe('')
    expect(row.env.length).toBeGreaterThan(0)
  })

  it('give defaults in an empty environment, without a warning', () => {
    for (const table of Object.values(TABLES)) {
      const { settings, lines } = read(table)
      expect(lines).toEqual([])
      for (const [name, row] of Object.entries(table)) expect(settings[name]).toEqual(row.default)
    }
  })

  // Any text is a key, a release, a path, a name.
  const picky = rows.flatMap(({ row, table, name }) =>
    row.read('\u0000') === undefined ? row.env.map((variable) => ({ variable, row, table, name })) : [],
  )

  it.each(picky)('log one line that names $variable if its value is invalid', ({ variable, row, table, name }) => {
    const { settings, lines } = read(table, { [variable]: '\u0000' })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(new RegExp(`^${variable}=.* ${row.whenInvalid?.done ?? 'is ignored'}: expected `))
    expect(settings[name]).toEqual(row.whenInvalid ? row.whenInvalid.value : row.default)
  })
})

describe('settings of the service', () => {
  it.each<[variables: Record<string, string>, name: keyof typeof exportSettings, value: unknown]>([
    [{}, 'baseUrl', CLOUD_BASE_URL],
    [{ SVC_BASE_URL: 'http://a/', SVC_BASEURL: 'http://b' }, 'baseUrl', 'http://a'],
    [{ SVC_BASEURL: 'http://b' }, 'baseUrl', 'http://b'],
    [{ SVC_BASE_URL: 'nonsense' }, 'baseUrl', undefined],
    [{ SVC_BASE_URL: 'nonsense', SVC_BASEURL: 'http://b' }, 'baseUrl', 'http://b'],
    [{ SVC_FLUSH_AT: '10', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '20' }, 'flushAt', 10],
    [{ OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '20' }, 'flushAt', 20],
    [{ SVC_FLUSH_INTERVAL: '0.5' }, 'flushInterval', 0.5],
    [{ OTEL_BSP_SCHEDULE_DELAY: '1500' }, 'flushInterval', 1.5],
    [{ SVC_TIMEOUT: '30' }, 'timeout', 30],
    [{}, 'maxQueueBytes', undefined],
    [{ SVC_OTEL_MAX_QUEUE_BYTES: '1000000' }, 'maxQueueBytes', 1_000_000],
    [{ SVC_OTEL_MAX_QUEUE_BYTES: '64MB' }, 'maxQueueBytes', undefined],
    [{}, 'maxRetryAge', 900],
    [{ SVC_OTEL_MAX_RETRY_AGE: '0.5' }, 'maxRetryAge', 0.5],
    [{ SVC_OTEL_MAX_RETRY_AGE: '0' }, 'maxRetryAge', 900],
    [{}, 'shutdownTimeout', 2],
    [{ SVC_SHUTDOWN_TIMEOUT: '0' }, 'shutdownTimeout', 0],
    [{ SVC_INGESTION_VERSION: '3' }, 'ingestionVersion', 3],
    [{ SVC_INGESTION_VERSION: '5' }, 'ingestionVersion', 4],
    [{ SVC_ADDITIONAL_HEADERS: 'x-team=a%20b' }, 'additionalHeaders', { 'x-team': 'a b' }],
    [{ SVC_OTEL_ALLOWED_SCOPES: 'a, b*' }, 'allowedScopes', ['a', 'b*']],
    [{ SVC_OTEL_BLOCKED_SCOPES: 'a' }, 'blockedScopes', ['a']],
    [{ SVC_MEDIA_UPLOAD_ENABLED: 'FALSE' }, 'mediaUploadEnabled', false],
    [{ SVC_MEDIA_UPLOAD_ENABLED: '0' }, 'mediaUploadEnabled', false],
    [{ SVC_MEDIA_UPLOAD_ENABLED: 'no thanks' }, 'mediaUploadEnabled', true],
    [{ SVC_TRACING_ENVIRONMENT: 'Production' }, 'environment', 'production'],
    [{}, 'trustBaggage', undefined],
    [{ SVC_TRUST_BAGGAGE: '1' }, 'trustBaggage', true],
    [
      { SVC_TRUST_BAGGAGE: ' 10.0.0.0/8, FD00::/8,Loopback' },
      'trustBaggage',
      ['10.0.0.0/8', 'fd00::/8', '127.0.0.0/8', '::1'],
    ],
    [{ SVC_TRUST_BAGGAGE: '10.0.0.0/8,orders' }, 'trustBaggage', false],
    [{ SVC_TRUST_BAGGAGE: 'false' }, 'trustBaggage', false],
    [{ SVC_TRUST_BAGGAGE: 'never' }, 'trustBaggage', false],
    [{ SVC_ROOT_IO: 'sometimes' }, 'rootIo', false],
    [{ SVC_OTEL_COMPRESSION: ' NONE ', OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' }, 'compression', 'none'],
    [{ SVC_OTEL_COMPRESSION: 'brotli', OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'none' }, 'compression', 'none'],
    [{ SVC_OTEL_SPOOL: 'never' }, 'spool', 'overflow'],
    [{ SVC_OTEL_SPOOL_MAX_AGE: '3 days' }, 'spoolMaxAge', 259_200],
    [{ SVC_OTEL_SPOOL_MAX_BYTES: '1.5' }, 'spoolMaxBytes', 268_435_456],
    [{ SVC_SHUTDOWN_TIMEOUT: '-2' }, 'shutdownTimeout', 2],
  ])('%j: %s is %j', (variables, name, value) => {
    expect(read(exportSettings, variables).settings[name]).toEqual(value)
  })

  it('never print secrets, even invalid ones', () => {
    const { lines } = read(exportSettings, { SVC_ADDITIONAL_HEADERS: 'authorization Bearer hidden' })
    expect(lines).toEqual([expect.stringMatching(/^SVC_ADDITIONAL_HEADERS=\(hidden\) is ignored/)])
  })
})

describe('network settings', () => {
  it.each<[variables: Record<string, string>, name: keyof typeof networkSettings, value: unknown]>([
    [{ HTTP_PROXY: 'proxy:3128' }, 'httpProxy', 'http://proxy:3128'],
    [{ HTTP_PROXY: 'http://upper', http_proxy: 'http://lower' }, 'httpProxy', 'http://lower'],
    [{ HTTPS_PROXY: 'http://upper', https_proxy: 'http://lower' }, 'httpsProxy', 'http://lower'],
    [{ HTTPS_PROXY: 'http://upper', https_proxy: 'nonsense://' }, 'httpsProxy', 'http://upper'],
    [{ NO_PROXY: 'a, b', no_proxy: 'c' }, 'noProxy', ['c']],
    [{ OTEL_EXPORTER_OTLP_CERTIFICATE: 'all', OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: 'own' }, 'certificate', 'own'],
    [{ OTEL_EXPORTER_OTLP_CLIENT_KEY: 'all', OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY: 'own' }, 'clientKey', 'own'],
  ])('%j: %s is %j', (variables, name, value) => {
    expect(read(networkSettings, variables).settings[name]).toEqual(value)
  })

  it.each([
    'ftp://user:hidden@proxy',
    'socks5://user:hidden@proxy',
    'user:hidden@proxy test:3128',
    '://user:hidden@proxy',
  ])('do not print the password of an invalid proxy URL: %s', (url) => {
    const { lines } = read(networkSettings, { HTTPS_PROXY: url })
    expect(lines).toEqual([expect.stringMatching(/^HTTPS_PROXY=\(hidden\) is ignored: expected a URL such as http:/)])
  })

  it.each([
    ['0', false],
    ['1', true],
    ['false', true],
  ])('NODE_TLS_REJECT_UNAUTHORIZED=%s: other certificates are rejected: %s, as in Node', (value, isRejected) => {
    const variables = { NODE_TLS_REJECT_UNAUTHORIZED: value }
    expect(read({ rejectUnauthorized }, variables).settings.rejectUnauthorized).toBe(isRejected)
  })
})

describe('preload settings', () => {
  it.each<[variables: Record<string, string>, name: keyof typeof preloadSettings, value: unknown]>([
    [{ SVC_TRACING_ENABLED: 'FALSE' }, 'tracingEnabled', false],
    [{ SVC_TRACING_ENABLED: '0' }, 'tracingEnabled', false],
    [{ SVC_TRACING_ENABLED: 'perhaps' }, 'tracingEnabled', true],
    [{ SVC_FORCE: 'perhaps' }, 'force', false],
    [{ SVC_EAGER: 'yes please' }, 'eager', false],
    [{}, 'httpRoot', 'auto'],
    [{ SVC_HTTP_ROOT: 'AUTO' }, 'httpRoot', 'auto'],
    [{ SVC_HTTP_ROOT: 'true' }, 'httpRoot', true],
    [{ SVC_HTTP_ROOT: 'sometimes' }, 'httpRoot', 'auto'],
    [{}, 'trustTraceparent', undefined],
    [{ SVC_TRUST_TRACEPARENT: 'never' }, 'trustTraceparent', false],
    [{ SVC_TRUST_TRACEPARENT: '10.0.0.0/80' }, 'trustTraceparent', false],
    [{ SVC_TRUST_TRACEPARENT: '::1' }, 'trustTraceparent', ['::1']],
    [{ SVC_PROPAGATE_TO_VENDORS: 'perhaps' }, 'propagateToVendors', false],
    [{ OTEL_NODE_ENABLED_INSTRUMENTATIONS: 'http' }, 'instrumentations', ['http']],
    [{ SVC_INSTRUMENTATIONS: 'openai', OTEL_NODE_ENABLED_INSTRUMENTATIONS: 'http' }, 'instrumentations', ['openai']],
    [{ OTEL_NODE_DISABLED_INSTRUMENTATIONS: 'openai' }, 'disabledInstrumentations', ['openai']],
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, 'sampler', 'always_off'],
    [{ OTEL_TRACES_SAMPLER: 'often' }, 'sampler', 'parentbased_always_on'],
    [{ OTEL_PROPAGATORS: 'tracecontext,carrier-pigeon' }, 'propagators', ['tracecontext', 'carrier-pigeon']],
  ])('%j: %s is %j', (variables, name, value) => {
    expect(read(preloadSettings, variables).settings[name]).toEqual(value)
  })

  it.each<[raw: string, captured: boolean]>([
    ['true', true],
    ['SPAN_ONLY', true],
    ['span_and_event', true],
    ['1', true],
    ['false', false],
    ['NO_CONTENT', false],
    ['EVENT_ONLY', false],
    ['0', false],
    ['what', false],
  ])('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=%s: content is captured: %s', (raw, captured) => {
    const variables = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: raw }
    expect(read(preloadSettings, variables).settings.captureContent).toBe(captured)
  })

  it.each(['off', '"false"'])('say that content is not captured if the value is invalid: %s', (raw) => {
    const { lines } = read(preloadSettings, { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: raw })
    expect(lines).toEqual([expect.stringMatching(/CAPTURE_MESSAGE_CONTENT=.* is read as false: expected /)])
  })
})
