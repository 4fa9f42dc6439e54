import { exportSettings, logSettings, networkSettings, preloadSettings } from '@svc/core/settings'
import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

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
  const said = variables.filter((name) => !isSecondPath(name))
  for (const name of said) {
    expect(
      lines.filter((line) => line.includes(` ${name}=`) || line.includes(` ${name}:`)),
      name,
    ).toHaveLength(1)
  }
  expect(lines).toHaveLength(said.length)
})

it.each([
  ['SVC_OTEL_MAX_QUEUE_BYTES', '64MB', 'ignored: expected a whole number of bytes above 0'],
  ['SVC_OTEL_MAX_QUEUE_BYTES', '0', 'ignored: expected a whole number of bytes above 0'],
  ['SVC_OTEL_MAX_RETRY_AGE', '-1', 'ignored: expected a number of seconds above 0'],
  ['SVC_OTEL_MAX_RETRY_AGE', '15m', 'ignored: expected a number of seconds above 0'],
  ['SVC_OTEL_SPOOL', 'never', 'ignored: expected overflow or always'],
  ['SVC_OTEL_SPOOL_MAX_BYTES', '1.5', 'ignored: expected a whole number of bytes above 0'],
  ['SVC_OTEL_SPOOL_MAX_AGE', '3 days', 'ignored: expected a number of seconds above 0'],
  ['SVC_SHUTDOWN_TIMEOUT', '-2', 'ignored: expected a number of seconds, 0 or more'],
  ['SVC_SHUTDOWN_TIMEOUT', 'soon', 'ignored: expected a number of seconds, 0 or more'],
  ['SVC_OTEL_SPOOL_DIR', NO_PATH, 'cannot be used, so nothing is kept on disk: '],
])('an invalid value in %s, which is %j, is named and shown with its effect', async (name, value, done) => {
  const { code, spans, lines } = await chat({ [name]: value })
  expect({ code, spans: spans.length }).toEqual({ code: 0, spans: 1 })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(`${name}=${JSON.stringify(value)} `)
  expect(lines[0]).toContain(done)
})

it.each(['OTEL_EXPORTER_OTLP_CERTIFICATE', 'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE', 'OTEL_EXPORTER_OTLP_CLIENT_KEY'])(
  'a missing file in %s is named and shown with its effect',
  async (name) => {
    const { code, spans, lines } = await chat({ [name]: NO_PATH })
    expect({ code, spans: spans.length }).toEqual({ code: 0, spans: 1 })
    expect(lines).toEqual([
      expect.stringContaining(`${name}: the file "${NO_PATH}" cannot be read, so it is ignored: `),
    ])
  },
)

it.each(['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'])(
  'an invalid value in %s is named and hidden, because it may contain a password',
  async (name) => {
    for (const value of ['socks5://user:s3cret@proxy.test', 'user:s3cret@proxy test:3128', '://user:s3cret@proxy']) {
      const { code, spans, stdout, stderr, lines } = await chat({ [name]: value })
      expect({ code, spans: spans.length }).toEqual({ code: 0, spans: 1 })
      expect(lines).toEqual([expect.stringContaining(`${name}=(hidden) is ignored: expected a URL such as http://`)])
      expect(stdout + stderr).not.toContain('s3cret')
    }
  },
)
