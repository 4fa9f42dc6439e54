import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cwd, PRELOAD } from '../../preload/apps.ts'
import { runNode } from '../../support/run.ts'
import { type Service, startService } from '../../support/service.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Characters of one text, when 3,000 bytes are allowed for a whole attribute and a list of them. */
const ROOM = 8_000

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** All that arrives at the service of an application that says a great deal to a model, and hears as much. */
async function arrived(major: number, env: Record<string, string>) {
  const { local, models } = service
  const before = new Set(local.observations().map(({ id }) => id))
  const args = [...PRELOAD, path('content.mjs'), path(`../ai-${major}`), `ai-${major}`, models.url]
  const { code, stderr } = await runNode(args, { cwd, env: { ...local.env, ...env } })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return local.observations().filter(({ id }) => !before.has(id))
}

describe.each([5, 6, 7])('content of the AI SDK %i', (major) => {
  it('is bounded and masked, also of an abandoned stream', async () => {
    const env = { SVC_CONTENT_MAX_BYTES: '3000', SVC_CONFIG_FILE: path('mask.config.mjs') }
    const observations = await arrived(major, env)
    const texts = observations.map((observation) => JSON.stringify(observation))
    expect(texts.join('')).not.toContain('4711')
    for (const { name, input, output } of observations) {
      // A step has neither, and the answer to a call that was read to its end is short.
      if (input === null) continue
      const long = JSON.stringify(input)
      expect([name, long.length < ROOM, /truncated by svc/.test(long)]).toEqual([name, true, true])
      if (/^(ai\.streamText|.* stalls$)/.test(name))
        expect(JSON.stringify(output)).toMatch(/\(masked\).*truncated by svc/)
    }
    expect(observations.length).toBeGreaterThan(3)
  })

  it('is not recorded if content is switched off', async () => {
    const observations = await arrived(major, { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'false' })
    expect(JSON.stringify(observations)).not.toMatch(/4711|secret/)
    expect(observations.flatMap(({ input, output }) => [input, output]).every((each) => each === null)).toBe(true)
  })
})
