import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { REPLAYED, replayed } from './support/replayed-libraries.ts'

const SVC = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url))
const APP = fileURLToPath(new URL('./support/replayed-app.mjs', import.meta.url))
const root = fileURLToPath(new URL('../instrumentation/', import.meta.url))

const TITLES = [
  ...['plain', 'streamed', 'tools', 'streamed tools', 'thinking', 'streamed thinking', 'stream helper', 'tool runner'],
  ...['responses', 'streamed responses', 'structured output', 'structured responses'],
]

/** Of frames of AWS only the bytes are known. */
const VARIANTS = [...REPLAYED, replayed('bedrock')]

/** Without the headers of a connection, which are those of the replay. */
const seen = (stdout: string) =>
  stdout.replace(/"(connection|content-length|date|keep-alive|transfer-encoding)":"[^"]*",?/g, '')

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it.each(VARIANTS)(
  'with raw answers, an application of $library sees all that it saw',
  async ({ folder, file, name, kind }) => {
    const variant = { file: `${root}${folder}/${file}`, name, kind, url: service.models.url }
    const program = [APP, JSON.stringify({ ...variant, titles: TITLES })]
    const env = { ...service.env, PATH: process.env.PATH, SVC_RECORD: 'raw' }
    const options = { cwd: `${root}${folder}`, env }
    const recorded = await runNode(['--import', '@svc/register', ...program], options)
    const trace = service.local.spans().at(-1)?.traceId ?? ''
    const asked = service.models.requests().length
    const again = await runNode([SVC, 'replay', trace, '--', process.execPath, ...program], options)
    expect(recorded.stdout).not.toContain('"thrown"')
    expect([again.code, seen(again.stdout)]).toEqual([0, seen(recorded.stdout)])
    expect(service.models.requests()).toHaveLength(asked)
  },
)
