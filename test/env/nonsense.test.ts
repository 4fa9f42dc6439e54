import { exportSettings, logSettings, preloadSettings } from '@svc/core/settings'
import { expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

/** Any text is good for these; and where everything goes wrong at once, these decide whether there is anything to see. */
const ANYTHING_GOES = new Set(
  `SVC_PUBLIC_KEY SVC_SECRET_KEY SVC_BASE_URL SVC_BASEURL SVC_RELEASE SVC_CONFIG_FILE OTEL_SERVICE_NAME
  SVC_OTEL_ALLOWED_SCOPES SVC_OTEL_BLOCKED_SCOPES
  SVC_INSTRUMENTATIONS OTEL_NODE_ENABLED_INSTRUMENTATIONS
  SVC_DISABLED_INSTRUMENTATIONS OTEL_NODE_DISABLED_INSTRUMENTATIONS`.split(/\s+/),
)
const variables = Object.values({ ...exportSettings, ...preloadSettings, ...logSettings })
  .flatMap((row) => [...row.env])
  .filter((name) => !ANYTHING_GOES.has(name))

it('in every variable at once costs one line each and nothing else', async () => {
  const env = Object.fromEntries(variables.map((name) => [name, '%%nonsense']))
  const { code, stdout, spans, lines } = await chat(env)
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /) })
  expect(spans).toHaveLength(1)
  for (const name of variables) {
    expect(
      lines.filter((line) => line.includes(`${name}=`) || line.includes(`${name}:`)),
      name,
    ).toHaveLength(1)
  }
  expect(lines).toHaveLength(variables.length)
})
