import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { REPLAYED } from './support/replayed-libraries.ts'

const SVC = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url))
const APP = fileURLToPath(new URL('./support/replayed-app.mjs', import.meta.url))
const root = fileURLToPath(new URL('../instrumentation/', import.meta.url))

const TITLES = ['plain', 'streamed', 'tools', 'streamed tools', 'thinking', 'streamed thinking', 'stream helper']
const MORE = ['tool runner', 'streamed tool runner', 'responses', 'streamed responses', 'chat', 'structured output']

/** What the trace has of an answer: texts in the order of their pieces, by the names under which vendors have them. */
const FIELDS =
  /^(?:text|content|delta|thinking|reasoning_content|arguments|partial_json|name|finish_?reason|stop_reason)$/i

function textsIn(value: unknown, texts: Record<string, string> = {}): Record<string, string> {
  if (typeof value !== 'object' || value === null) return texts
  for (const [key, each] of Object.entries(value)) {
    if (typeof each === 'string' && each !== '' && FIELDS.test(key)) texts[key] = `${texts[key] ?? ''}${each}`
    else textsIn(each, texts)
  }
  return texts
}

describe('svc replay', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  it.each(REPLAYED)('$library sees what it saw, and asks no model', async ({ folder, file, name, kind }) => {
    const variant = { file: `${root}${folder}/${file}`, name, kind, url: service.models.url }
    const program = [APP, JSON.stringify({ ...variant, titles: [...TITLES, ...MORE] })]
    const options = { cwd: `${root}${folder}`, env: { ...service.env, PATH: process.env.PATH } }
    const recorded = await runNode(['--import', '@svc/register', ...program], options)
    const trace = service.local.spans().at(-1)?.traceId ?? ''
    const asked = service.models.requests().length
    const replayed = await runNode([SVC, 'replay', trace, '--', process.execPath, ...program], options)
    const answered = /svc replay: (\d+) of \1 recorded calls answered\n/
    expect(replayed).toMatchObject({ code: 0, stderr: expect.stringMatching(answered) })
    expect(service.models.requests()).toHaveLength(asked)
    const [before, now] = [recorded, replayed].map(({ stdout }) => JSON.parse(stdout) as Record<string, unknown>)
    expect(recorded.stdout).not.toContain('"thrown"')
    expect(Object.keys(now ?? {}).length).toBeGreaterThanOrEqual(3)
    for (const title of Object.keys(before ?? {}))
      expect([title, textsIn(now?.[title])]).toEqual([title, textsIn(before?.[title])])
  })
})

/** What calls tools in this process, of `once/tools.mjs`. */
const CALLERS = [
  ...['observe', 'a tool that fails', 'AI SDK 7', 'AI SDK 6', 'AI SDK 5', 'agents', 'LangChain', 'mcp'],
  'openai runTools',
]

describe('svc replay --tools', () => {
  let service: Service
  const folder = mkdtempSync(join(tmpdir(), 'svc-replay-tools-'))
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(async () => {
    await service.close()
    rmSync(folder, { recursive: true })
  })

  /** Runs the application once. It can be replayed with another weather, which its tools do not see unless they run. */
  async function record(title: string) {
    const TOOLS_RUN = join(folder, title)
    const options = { cwd: `${root}once`, env: { ...service.env, PATH: process.env.PATH, TOOLS_RUN } }
    const program = (weather: string) => ['tools.mjs', title, weather]
    const recorded = await runNode(['--import', '@svc/register', ...program('sunny')], options)
    expect(recorded).toMatchObject({ code: 0, stderr: '' })
    const trace = service.local.spans().at(-1)?.traceId ?? ''
    const replay = (...flags: string[]) =>
      runNode([SVC, 'replay', trace, ...flags, '--', process.execPath, ...program('rainy')], options)
    return { recorded, replay, runs: () => readFileSync(TOOLS_RUN, 'utf8') }
  }

  it.each(CALLERS)('%s gets what its tools answered, and runs none', async (title) => {
    const { recorded, runs, replay } = await record(title)
    const [asked, ran] = [service.models.requests().length, runs()]
    expect(ran).not.toBe('')
    expect(await replay('--tools')).toMatchObject({ code: 0, stdout: recorded.stdout })
    expect(runs()).toBe(ran)
    expect(service.models.requests()).toHaveLength(asked)
    await replay('--on-divergence', 'live')
    expect(runs()).toBe(ran + ran)
  })

  it('a tool with another input fails, or is run on demand, and the difference is said', async () => {
    const { replay, runs } = await record('another input')
    const difference =
      /svc replay: a tool differs from look \(\w+\): its input was \{"city":"sunny"\}, is \{"city":"rainy"\}/
    expect(await replay('--tools')).toMatchObject({ code: 1, stderr: expect.stringMatching(difference) })
    expect(runs()).toBe('sunny\n')
    const live = await replay('--tools', '--on-divergence', 'live')
    expect(live).toMatchObject({ code: 0, stdout: '{"city":"rainy","weather":"rainy"}\n' })
    expect(live.stderr).toMatch(difference)
    expect(runs()).toBe('sunny\nrainy\n')
  })
})
