import { exportSettings, logSettings, networkSettings, preloadSettings } from '@svc/core/settings'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Chat, useChat } from '../support/chat.ts'

const chat = useChat()

/** Any text is good for these; and where everything goes wrong at once, these decide whether there is anything to see. */
const ANYTHING_GOES = new Set(
  `SVC_PUBLIC_KEY SVC_SECRET_KEY SVC_BASE_URL SVC_BASEURL SVC_RELEASE SVC_CONFIG_FILE OTEL_SERVICE_NAME
  SVC_OTEL_ALLOWED_SCOPES SVC_OTEL_BLOCKED_SCOPES no_proxy NO_PROXY
  SVC_INSTRUMENTATIONS OTEL_NODE_ENABLED_INSTRUMENTATIONS
  SVC_DISABLED_INSTRUMENTATIONS OTEL_NODE_DISABLED_INSTRUMENTATIONS`.split(/\s+/),
)
/** Any text is a path: of several variables only the first one is read. */
const isSecondPath = (name: string) => /^OTEL_EXPORTER_OTLP_(?:CLIENT_)?(?:CERTIFICATE|KEY)$/.test(name)
/** Nothing can be made below a device. */
const NO_PATH = '/dev/null/nonsense'
const nonsenseFor = (name: string) => (name === 'SVC_OTEL_SPOOL_DIR' ? NO_PATH : '%%nonsense')

const variables = [
  ...new Set(
    Object.values({ ...exportSettings, ...preloadSettings, ...networkSettings, ...logSettings }).flatMap((row) => [
      ...row.env,
    ]),
  ),
].filter((name) => !ANYTHING_GOES.has(name))

it('invalid values in all variables cause one line each and nothing else', async () => {
  const env = Object.fromEntries(variables.map((name) => [name, nonsenseFor(name)]))
  const { code, stdout, spans, lines } = await chat(env)
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /) })
  expect(spans).toHaveLength(1)
  const named = variables.filter((name) => !isSecondPath(name))
  for (const name of named) {
    expect(
      lines.filter((line) => line.includes(` ${name}=`) || line.includes(` ${name}:`)),
      name,
    ).toHaveLength(1)
  }
  expect(lines).toHaveLength(named.length)
})

// What is wrong with one variable says nothing of another: one start shows many.
const BYTES = 'is ignored: expected a whole number of bytes above 0'
const SECONDS = 'is ignored: expected a number of seconds above 0'
const SECONDS_OR_NONE = 'is ignored: expected a number of seconds, 0 or more'
describe.each([
  {
    start: 'one start',
    rows: [
      ['SVC_OTEL_MAX_QUEUE_BYTES', '64MB', BYTES],
      ['SVC_OTEL_MAX_RETRY_AGE', '-1', SECONDS],
      ['SVC_OTEL_SPOOL', 'never', 'is ignored: expected overflow or always'],
      ['SVC_OTEL_SPOOL_MAX_BYTES', '1.5', BYTES],
      ['SVC_OTEL_SPOOL_MAX_AGE', '3 days', SECONDS],
      ['SVC_SHUTDOWN_TIMEOUT', '-2', SECONDS_OR_NONE],
      ['SVC_OTEL_SPOOL_DIR', NO_PATH, 'cannot be used, so nothing is kept on disk: '],
    ],
  },
  {
    start: 'another start',
    rows: [
      ['SVC_OTEL_MAX_QUEUE_BYTES', '0', BYTES],
      ['SVC_OTEL_MAX_RETRY_AGE', '15m', SECONDS],
      ['SVC_SHUTDOWN_TIMEOUT', 'soon', SECONDS_OR_NONE],
    ],
  },
])('invalid values in several variables: $start', ({ rows }) => {
  let run: Chat
  beforeAll(async () => {
    run = await chat(Object.fromEntries(rows.map(([name, value]) => [name, value])))
  })

  it.each(rows)('an invalid value in %s, which is %j, is named and shown with its effect', (name, value, done) => {
    const named = run.lines.filter((line) => line.includes(`${name}=`))
    expect(named).toEqual([expect.stringContaining(`${name}=${JSON.stringify(value)} `)])
    expect(named).toEqual([expect.stringContaining(done)])
  })

  it('invalid values cause one line each and nothing else', () => {
    expect({ code: run.code, spans: run.spans.length, lines: run.lines.length }).toEqual({
      code: 0,
      spans: 1,
      lines: rows.length,
    })
  })
})

it('a missing file in a variable for a certificate or its key is named and shown with its effect', async () => {
  const names = ['CERTIFICATE', 'CLIENT_CERTIFICATE', 'CLIENT_KEY'].map((what) => `OTEL_EXPORTER_OTLP_${what}`)
  const { code, spans, lines } = await chat(Object.fromEntries(names.map((name) => [name, NO_PATH])))
  expect({ code, spans: spans.length }).toEqual({ code: 0, spans: 1 })
  expect(lines.toSorted()).toEqual(
    names.map((name) => expect.stringContaining(`${name}: the file "${NO_PATH}" cannot be read, so it is ignored: `)),
  )
})

it.each([
  ['http_proxy', 'https_proxy'],
  ['HTTP_PROXY', 'HTTPS_PROXY'],
])('an invalid value in %s and %s is named and hidden, because it may contain a password', async (...names) => {
  for (const value of ['socks5://user:s3cret@proxy.test', 'user:s3cret@proxy test:3128', '://user:s3cret@proxy']) {
    const { code, spans, stdout, stderr, lines } = await chat(Object.fromEntries(names.map((name) => [name, value])))
    expect({ code, spans: spans.length }).toEqual({ code: 0, spans: 1 })
    expect(lines.toSorted()).toEqual(
      names.map((name) => expect.stringContaining(`${name}=(hidden) is ignored: expected a URL such as http://`)),
    )
    expect(stdout + stderr).not.toContain('s3cret')
  }
})
