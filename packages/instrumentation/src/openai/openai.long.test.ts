import { createRequire } from 'node:module'
import { startModelServer } from '@svc-examples/model-server'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Case, cases, type OpenAIModule } from '../../test/cases.ts'
import { finishedSpans, forgetSpans, recordSpans, tell } from '../../test/spans.ts'
import { instrumentOpenAI } from './patch.ts'

const require = createRequire(import.meta.url)

// Every major in use, as `import` or as `require` find it: two copies, two classes. Of the newest one both.
// test/instrumentation/clients.all.test.ts has older ones in the other way, too.
const packages: readonly { readonly name: string; readonly load: () => Promise<unknown> }[] = [
  { name: 'openai 4, imported', load: () => import('openai-4') },
  { name: 'openai 5, required', load: async () => require('openai-5') },
  { name: 'openai 6, imported', load: () => import('openai-6') },
  { name: 'openai 7, imported', load: () => import('openai') },
  { name: 'openai 7, required', load: async () => require('openai') },
]

recordSpans()

describe.each(packages)('$name', ({ name: title, load }) => {
  let openai: OpenAIModule
  const bare: Record<string, unknown> = {}

  beforeAll(async () => {
    forgetSpans()
    openai = (await load()) as OpenAIModule
    for (const [name, { does }] of Object.entries(cases)) bare[name] = await inApplication(does)
    expect(finishedSpans()).toEqual([])
    expect(instrumentOpenAI(openai)).toBe(true)
    expect(instrumentOpenAI(openai)).toBe(false)
  })

  /** Runs what an application does against a server of its own, so that all runs get the same answers. */
  async function inApplication(does: Case['does']): Promise<unknown> {
    const server = await startModelServer()
    try {
      const client = new openai.OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' })
      return comparable(await does({ openai, client, url: server.url }))
    } finally {
      await server.close()
    }
  }

  it.each(Object.entries(cases))(
    '%s: the application gets the same results as before, and each call is a span',
    async (name, { does, spans: all }) => {
      // Of `runTools` version 4 shows its generations alone.
      const spans =
        title.startsWith('openai 4') && name === 'runTools' ? all.filter((span) => /^chat/.test(span.name)) : all
      forgetSpans()
      expect(await inApplication(does)).toEqual(bare[name])
      expect(finishedSpans().map(tell)).toEqual(spans)
    },
  )
})

/** Without what differs from run to run. */
function comparable(value: unknown): unknown {
  const text = JSON.stringify(value, (key, field) => (/^created|^(_?request_id)$/.test(key) ? 'differs' : field))
  return text === undefined ? undefined : JSON.parse(text)
}
