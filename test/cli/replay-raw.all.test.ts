import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mainWay } from '../instrumentation/harness/ways.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

const SVC = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url))
const APP = fileURLToPath(new URL('./support/replayed-app.mjs', import.meta.url))
const root = fileURLToPath(new URL('../instrumentation/', import.meta.url))

const TITLES = [
  ...['plain', 'streamed', 'tools', 'streamed tools', 'thinking', 'streamed thinking', 'stream helper', 'tool runner'],
  ...['responses', 'streamed responses', 'structured output', 'structured responses'],
]

/** Own calls, those of frameworks whose spans are not ours, one below which a client answers, and frames of AWS. */
const LIBRARIES = ['openai', 'anthropic', 'langchain', 'ai-5', 'ai-7', 'bedrock']

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it.each(LIBRARIES)('with raw answers, an application of %s sees all that it saw', async (library) => {
  const variant = { file: `${root}${library}/cases.mjs`, ...mainWay(library)[0], url: service.models.url }
  const program = [APP, JSON.stringify({ ...variant, titles: TITLES })]
  const env = { ...service.env, PATH: process.env.PATH, SVC_RECORD: 'raw' }
  const options = { cwd: `${root}${library}`, env }
  const recorded = await runNode(['--import', '@svc/register', ...program], options)
  const trace = service.local.spans().at(-1)?.traceId ?? ''
  const asked = service.models.requests().length
  const replayed = await runNode([SVC, 'replay', trace, '--', process.execPath, ...program], options)
  expect(recorded.stdout).not.toContain('"thrown"')
  expect(replayed).toMatchObject({ code: 0, stdout: recorded.stdout })
  expect(service.models.requests()).toHaveLength(asked)
})
