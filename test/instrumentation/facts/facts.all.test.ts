import { fileURLToPath } from 'node:url'
import { type LocalService, startLocal } from '@svc/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DialectServer, startDialectServer } from '../../../packages/instrumentation/test/dialect-server.ts'
import { ABOUT, DIALECTS } from '../../../packages/instrumentation/test/dialects.ts'
import { cwd, PRELOAD } from '../../preload/apps.ts'
import { runNode } from '../../support/run.ts'

// The clients, LangChain with and without its handler, `observeOpenAI` and requests on the wire are compared with the same
// table beside their sources (`dialects.test.ts`); here is the AI SDK, as the service reads its spans.

const VERSIONS = ['ai-5', 'ai-6', 'ai-7']
const NAMES = Object.keys(DIALECTS)
const program = fileURLToPath(new URL('app.mjs', import.meta.url))

let server: DialectServer
let service: LocalService
beforeAll(async () => {
  ;[server, service] = await Promise.all([startDialectServer(), startLocal()])
})
afterAll(() => Promise.all([server.close(), service.close()]))

describe.each(VERSIONS)('%s', (version) => {
  let observations: ReturnType<LocalService['observations']>
  beforeAll(async () => {
    const vendors = NAMES.map((name) => ({ name: `${version} ${name}`, url: server.urlOf(name) }))
    const folder = fileURLToPath(new URL(`../${version}`, import.meta.url))
    const args = [...PRELOAD, program, folder, version, JSON.stringify(vendors)]
    const { code, stderr } = await runNode(args, { cwd, env: service.env })
    expect(code, stderr).toBe(0)
    observations = service.observations()
  }, 120_000)

  it.each(NAMES.flatMap((name) => ['whole', 'streamed'].map((way) => ({ name, way }))))(
    '$name, $way',
    ({ name, way }) => {
      const root = observations.find((each) => each.name === `${version} ${name}, ${way}`)
      const asked = observations.filter(({ traceId, type }) => traceId === root?.traceId && type === 'GENERATION')
      const { text, thinking, calls, ...facts } = { ...ABOUT, ...DIALECTS[name]?.expected }
      expect(asked.map(recorded)).toEqual([facts])
      for (const fact of [text, thinking, ...(calls ? ['weather', 'Rome'] : [])])
        expect(JSON.stringify(asked[0]?.output)).toContain(fact ?? '')
    },
  )
})

function recorded({ model, usage, cost, modelParameters, metadata }: ReturnType<LocalService['observations']>[number]) {
  const { attributes, citations } = metadata as Record<string, unknown>
  const { 'gen_ai.response.id': id } = attributes as Record<string, unknown>
  const tier = (modelParameters as Record<string, unknown> | null)?.service_tier
  const facts = { id, model, usage, cost: (cost as { total?: number } | null)?.total, tier, citations }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== null))
}
