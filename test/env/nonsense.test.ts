import { exportSettings, logSettings, networkSettings, preloadSettings } from '@svc/core/settings'
import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

/** Any text is good for these; and where everything goes wrong at once, these decide whether there is anything to see. */
const ANYTHING_GOES = new Set(
  `SVC_PUBLIC_KEY SVC_SECRET_KEY SVC_BASE_URL SVC_BASEURL SVC_RELEASE SVC_CONFIG_FILE OTEL_SERVICE_NAME
  SVC_OTEL_ALLOWED_SCOPES SVC_OTEL_BLOCKED_SCOPES no_proxy NO_PROXY
  SVC_INSTRUMENTATIONS SVC_WIRE_BLOCKED_HOSTS OTEL_NODE_ENABLED_INSTRUMENTATIONS
  SVC_DISABLED_INSTRUMENTATIONS OTEL_NODE_DISABLED_INSTRUMENTATIONS OTEL_SEMCONV_STABILITY_OPT_IN`.split(/\s+/),
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
