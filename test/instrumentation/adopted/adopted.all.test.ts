import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { PRELOAD } from '../../preload/apps.ts'
import { runNode } from '../../support/run.ts'
import { startService } from '../../support/service.ts'

const cwd = fileURLToPath(new URL('.', import.meta.url))
const OPENINFERENCE = '@arizeai/openinference-instrumentation-openai'
const TRACELOOP = '@traceloop/instrumentation-openai'
const OURS = '@svc/instrumentation-openai'

/** The generations of one call, and what the application printed. */
async function ask(kind: string, env: Readonly<Record<string, string>>) {
  const { local, models, close } = await startService()
  try {
    const options = { cwd, env: { ...local.env, ...env } }
    const { stdout, stderr, code } = await runNode([...PRELOAD, 'app.mjs', kind, models.url], options)
    const observations = local.observations()
    const root = observations.find(({ name }) => name === 'application')
    const calls = observations.filter(({ type }) => type === 'GENERATION')
    return {
      app: [stdout.slice(0, 9), stderr, code],
      scopes: calls.map(({ metadata }) => (metadata as { scope: { name: string } }).scope.name),
      nested: calls.map(({ parentId }) => parentId === root?.id),
      text: JSON.stringify(calls),
    }
  } finally {
    await close()
  }
}

const once = (scope: string) => ({ app: ['You asked', '', 0], scopes: [scope], nested: [true] })

describe.each(['import', 'require'])('a call of a library loaded by %s is one generation', (kind) => {
  it.each([OPENINFERENCE, TRACELOOP])('by %s if it is named, and not by the built-in one as well', async (name) => {
    const { text, ...seen } = await ask(kind, { SVC_INSTRUMENTATIONS: `openai,${name}` })
    expect(seen).toEqual(once(name))
    expect(text).toContain('What is a span?')
  })

  it('by the built-in one if others are only installed', async () => {
    expect(await ask(kind, {})).toMatchObject(once(OURS))
  })
})

it.each([OPENINFERENCE, TRACELOOP])(
  'the instrumentation %s records no content if content is switched off',
  async (name) => {
    const { text, ...seen } = await ask('import', {
      SVC_INSTRUMENTATIONS: name,
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'false',
    })
    expect(seen).toEqual(once(name))
    expect(text).not.toContain('What is a span?')
  },
)

it('a named instrumentation that is not installed is skipped with one line, and the built-in one records', async () => {
  const { app, scopes } = await ask('import', { SVC_INSTRUMENTATIONS: 'openai,@traceloop/instrumentation-nothing' })
  expect(scopes).toEqual([OURS])
  expect(app[1]).toContain('instrumentation "@traceloop/instrumentation-nothing" cannot be loaded and is left out')
})
