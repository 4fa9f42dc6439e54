import { beforeAll, describe, expect, it } from 'vitest'
import { cwd, PRELOAD } from '../preload/apps.ts'
import { type Chat, useChat } from '../support/chat.ts'
import { runNode } from '../support/run.ts'

// What a value means is tested beside the settings. Here each variable is followed once from the environment of a
// process to what it changes, several of them in one process.
const chat = useChat()

/** One run of the application for the tests of one group. */
function useRun(env: Readonly<Record<string, string | undefined>>): () => Chat {
  let run: Chat
  beforeAll(async () => {
    run = await chat(env)
  })
  return () => run
}

const TRACES = '/api/public/otel/v1/traces'
const requestsTo = (run: Chat, path: string) => run.requests.filter((request) => request.path === path)
const scopesOf = ({ spans }: Chat) => spans.map((span) => span.scope.name)
const OPENAI = '@svc/instrumentation-openai'
const UNDICI = '@opentelemetry/instrumentation-undici'

describe('without more variables than the service needs', () => {
  const run = useRun({ CALLS: '3', SVC_FLUSH_INTERVAL: '60' })

  it('SVC_BASE_URL is where spans go, and nothing is printed', () => {
    expect(requestsTo(run(), TRACES)).not.toEqual([])
    expect(run().lines).toEqual([])
    expect(run().stdout).not.toContain('[DEBUG]')
  })

  it('SVC_PUBLIC_KEY and SVC_SECRET_KEY authorize every request, and the public one is a header as well', () => {
    const basic = Buffer.from('pk-svc-local:sk-svc-local').toString('base64')
    const keys = { authorization: `Basic ${basic}`, 'x-svc-public-key': 'pk-svc-local' }
    expect(requestsTo(run(), TRACES)).toMatchObject([{ headers: { ...keys, 'x-svc-sdk-name': 'javascript' } }])
  })

  it('SVC_FLUSH_AT is more than three spans: they are one request', () => {
    expect(run().spans).toHaveLength(3)
    expect(requestsTo(run(), TRACES)).toHaveLength(1)
  })

  it('SVC_INGESTION_VERSION is 4, and SVC_OTEL_COMPRESSION gzip', () => {
    expect(requestsTo(run(), TRACES)).toMatchObject([
      { headers: { 'x-svc-ingestion-version': '4', 'content-encoding': 'gzip' } },
    ])
  })
})

describe('with values in variables that change requests and spans', () => {
  const run = useRun({
    CALLS: '3',
    QUESTION: 'x'.repeat(10_000),
    SVC_FLUSH_AT: '1',
    SVC_OTEL_COMPRESSION: ' NONE ',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    SVC_ADDITIONAL_HEADERS: 'x-team=blue%2Cgreen, X-Svc-Public-Key=own',
    SVC_INGESTION_VERSION: '3',
    SVC_CONTENT_MAX_BYTES: '2000',
    SVC_TRACING_ENVIRONMENT: 'Staging',
    SVC_RELEASE: 'v1.2.3',
    OTEL_SERVICE_NAME: 'shop',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,team=a%20b',
    SVC_DEBUG: 'true',
  })

  it('SVC_FLUSH_AT=1 sends a span as soon as it ends', () => {
    expect(run().requests).toHaveLength(3)
  })

  it('SVC_ADDITIONAL_HEADERS adds percent-decoded headers, and replaces default ones in any case', () => {
    const headers = { 'x-team': 'blue,green', 'x-svc-public-key': 'own' }
    for (const request of run().requests) expect(request.headers).toMatchObject(headers)
  })

  it('SVC_INGESTION_VERSION=3 is a header of each request', () => {
    for (const { headers } of run().requests) expect(headers['x-svc-ingestion-version']).toBe('3')
  })

  it('SVC_OTEL_COMPRESSION wins over the variables of OpenTelemetry', () => {
    for (const { headers } of run().requests) expect(headers).not.toHaveProperty('content-encoding')
  })

  it('SVC_CONTENT_MAX_BYTES truncates long content, with a note, and the model is asked all of it', () => {
    const { messages } = JSON.parse(String(run().spans[0]?.attributes['svc.observation.input']))
    expect(messages[0].content).toMatch(/^x{800,1000}\[truncated by svc: \d+ more characters\]$/)
    expect(JSON.stringify(run().asked[0]?.body)).toContain('x'.repeat(10_000))
  })

  it('SVC_TRACING_ENVIRONMENT is written on every span in lower case', () => {
    for (const { attributes } of run().spans) expect(attributes['svc.environment']).toBe('staging')
  })

  it('SVC_RELEASE is written on every span', () => {
    for (const { attributes } of run().spans) expect(attributes['svc.release']).toBe('v1.2.3')
  })

  it('OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES are resource attributes of spans', () => {
    expect(run().spans[0]?.resource.attributes).toMatchObject({ 'service.name': 'shop', team: 'a b' })
  })

  it('SVC_DEBUG=true prints where spans are sent', () => {
    expect(run().stdout).toMatch(/\[Svc SDK\] \[DEBUG\] @svc\/register sends to http:\/\/127\.0\.0\.1/)
  })
})

describe('with variables that leave something out', () => {
  const run = useRun({
    CALLS: '2',
    PAUSE: '300',
    SVC_FLUSH_INTERVAL: '0.05',
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'NO_CONTENT',
    SVC_LOG_LEVEL: 'none',
    SVC_TIMEOUT: 'soon',
  })

  it('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=NO_CONTENT records models and tokens without text', () => {
    expect(run().spans[0]).toMatchObject({ attributes: { 'gen_ai.request.model': 'gpt-test' } })
    expect(JSON.stringify(run().spans)).not.toContain('Say hello')
    const [{ attributes = {} } = {}] = run().spans
    expect(Object.keys(attributes).filter((name) => /put$|messages|instructions|definitions/.test(name))).toEqual([])
  })

  it('SVC_LOG_LEVEL=NONE prints nothing, not even of an invalid SVC_TIMEOUT', () => {
    expect(run().lines).toEqual([])
  })

  it('SVC_FLUSH_INTERVAL is the maximum delay of a span in seconds', () => {
    expect(run().spans).toHaveLength(2)
    expect(run().requests).toHaveLength(2)
  })
})

describe('with other instrumentations and scopes', () => {
  const added = useRun({
    SVC_INSTRUMENTATIONS: 'undici,opanai',
    SVC_OTEL_ALLOWED_SCOPES: `${UNDICI}*`,
    SVC_PROPAGATE_TO_VENDORS: 'true',
  })
  const blocked = useRun({
    SVC_INSTRUMENTATIONS: 'openai,undici',
    SVC_OTEL_ALLOWED_SCOPES: `${UNDICI},${OPENAI}`,
    SVC_OTEL_BLOCKED_SCOPES: OPENAI,
  })
  const disabled = useRun({ SVC_DISABLED_INSTRUMENTATIONS: 'openai' })

  it('SVC_INSTRUMENTATIONS records only those, and reports unknown names with the known ones', () => {
    expect(scopesOf(added())).toEqual([UNDICI])
    expect(added().lines).toEqual([
      expect.stringMatching(/"opanai" is not known and is ignored\. Known: openai, .*http/),
    ])
  })

  it('SVC_OTEL_ALLOWED_SCOPES allows a scope that is none of a model call, by its name or what it begins with', () => {
    expect([added(), blocked()].map(scopesOf)).toEqual([[UNDICI], [UNDICI]])
  })

  it('SVC_OTEL_BLOCKED_SCOPES drops a scope whatever other settings say', () => {
    expect(scopesOf(blocked())).not.toContain(OPENAI)
    expect(blocked().lines).toEqual([])
  })

  it('SVC_PROPAGATE_TO_VENDORS sends trace context to vendors, and by default none is sent', () => {
    expect(added().asked).toMatchObject([{ headers: { traceparent: expect.any(String) } }])
    expect(blocked().asked).toMatchObject([
      { headers: expect.not.objectContaining({ traceparent: expect.anything() }) },
    ])
  })

  it('SVC_DISABLED_INSTRUMENTATIONS records no call of that library', () => {
    expect({ spans: disabled().spans, lines: disabled().lines }).toEqual({ spans: [], lines: [] })
  })
})

it('OTEL_TRACES_SAMPLER and its argument decide which traces are sent, and limits what a span has', async () => {
  const sampler = { OTEL_TRACES_SAMPLER: 'traceidratio' }
  expect((await chat({ ...sampler, OTEL_TRACES_SAMPLER_ARG: '0' })).spans).toEqual([])
  const { spans } = await chat({ ...sampler, OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: '4' })
  expect(spans).toMatchObject([{ attributes: { 'gen_ai.request.model': 'gpt-' } }])
})

it('SVC_CONFIG_FILE can contain a mask, and stops all export if it cannot be loaded', async () => {
  const { spans, lines } = await chat({ SVC_CONFIG_FILE: 'env/mask.config.mjs' })
  expect(lines).toEqual([])
  expect(spans).toMatchObject([{ attributes: { 'svc.release': 'from the file', 'svc.observation.input': '(masked)' } }])
  const missing = await chat({ SVC_CONFIG_FILE: 'env/missing.mjs' })
  expect({ spans: missing.spans, code: missing.code }).toEqual({ spans: [], code: 0 })
  expect(missing.lines).toEqual([
    expect.stringMatching(/SVC_CONFIG_FILE="env\/missing\.mjs" cannot be loaded, so nothing is traced/),
  ])
})

it.each([
  ['true', 'uploads media of spans', /^What is this\? @@@svcMedia:/],
  ['false', 'keeps media in spans', /data:image\/png;base64,iVBORw0KGgo=$/],
])('SVC_MEDIA_UPLOAD_ENABLED=%s %s', async (value, _, content) => {
  const QUESTION = 'What is this? data:image/png;base64,iVBORw0KGgo='
  const { spans } = await chat({ QUESTION, SVC_MEDIA_UPLOAD_ENABLED: value })
  const { messages } = JSON.parse(String(spans[0]?.attributes['svc.observation.input']))
  expect(messages[0].content).toMatch(content)
})

it('SVC_REDACT=email hides addresses, and secrets as ever', async () => {
  const QUESTION = `Who is ada@example.com, with the key sk-proj-${'a1B2c3D4'.repeat(5)}?`
  const { spans, lines } = await chat({ QUESTION, SVC_REDACT: 'email' })
  const { messages } = JSON.parse(String(spans[0]?.attributes['svc.observation.input']))
  expect(messages[0].content).toMatch(/^Who is \[email:[\da-f]{4}\], with the key \[secret:[\da-f]{4}\]\?$/)
  expect(lines).toEqual([expect.stringContaining('a secret was in what is recorded')])
})

it('SVC_SECRET_KEY is never printed, whatever is wrong', async () => {
  const secret = 'sk-svc-0123456789-do-not-show'
  for (const env of [{ SVC_PUBLIC_KEY: undefined }, { SVC_LOG_LEVEL: 'DEBUG', SVC_BASE_URL: 'nonsense' }]) {
    const { stdout, stderr } = await chat({ SVC_SECRET_KEY: secret, ...env })
    expect(stdout + stderr).not.toContain('do-not-show')
  }
})

it.each(['true', undefined])('SVC_EAGER=%s loads what records at start, or with the first use', async (eager) => {
  const keys = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: 'http://127.0.0.1:9' }
  const program = `console.log(Object.keys(require('node:module')._cache).some((file) => /engine\\.js$/.test(file)))`
  const ended = await runNode([...PRELOAD, '-e', program], { cwd, env: { ...keys, SVC_EAGER: eager } })
  expect(ended).toMatchObject({ stdout: `${eager === 'true'}\n`, stderr: '' })
})
