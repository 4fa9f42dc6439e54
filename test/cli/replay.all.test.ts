import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TraceFile } from '../../packages/cli/src/traces/trace-file.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { command, RUDE, SVC, useRecorded } from './support/recorded-run.ts'
import { REPLAYED } from './support/replayed-libraries.ts'

const LOADED = new URL('./loaded.mjs', import.meta.url).href
const TEAM = fileURLToPath(new URL('./support/replayed-team.mjs', import.meta.url))
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

describe('svc replay of an agent', () => {
  const recorded = useRecorded()

  it('has no code in an application that runs without it', async () => {
    const loadedBy = async (args: readonly string[], more = {}) => {
      const env = { NODE_OPTIONS: `--import=${LOADED}`, SVC_RECORD: 'raw' }
      const { stdout, stderr } = await runNode(args, { ...recorded().options(env), ...more })
      expect(stdout).toBe(recorded().printed)
      return stderr.split('\n').filter((line) => line.startsWith('file:') && line.includes('/packages/cli/'))
    }
    const cwd = fileURLToPath(new URL('.', import.meta.url))
    expect(await loadedBy(['--import', '@svc/register', ...command.slice(2)], { cwd })).toEqual([])
    const replayed = await loadedBy([SVC, 'replay', 'trace.json', ...command])
    expect(replayed).toContainEqual(expect.stringMatching(/\/replay\/redirect\.js/))
  })

  it('sends what differs to the model on demand', async () => {
    const requests = await recorded().asked(async () => {
      const ended = await recorded().replay([recorded().trace, '--on-divergence', 'live', ...command], { SYSTEM: RUDE })
      expect(ended).toMatchObject({
        code: 0,
        stdout: recorded().printed,
        stderr: expect.stringContaining('It is sent to the model'),
      })
    })
    expect(requests).toEqual([RUDE, RUDE])
  })

  it('answers equal requests at the same time by their places, also in another order and process', async () => {
    const program = (order: string) => ['--', process.execPath, TEAM, order]
    await runNode([SVC, 'run', ...program('north,south,east')], recorded().options())
    const traceId =
      recorded()
        .service.local.spans()
        .find(({ name }) => name === 'team')?.traceId ?? ''
    const { stdout } = await runNode([SVC, 'traces', 'export', traceId], recorded().options())
    // The model gives all the same answer.
    const team = JSON.parse(stdout) as TraceFile
    const nameOf = (id: string | null) => team.observations.find((each) => each.id === id)?.name
    const observations = team.observations.map((each) =>
      each.type === 'GENERATION' ? { ...each, output: `I am ${nameOf(each.parentObservationId)}.` } : each,
    )
    writeFileSync(join(recorded().cwd, 'team.json'), JSON.stringify({ ...team, observations }))
    const all = ['north', 'south', 'east', 'child'].map((name) => `${name}: I am ${name}.\n`).join('')
    for (const order of ['north,south,east', 'east,south,north'])
      expect(await recorded().replay(['team.json', ...program(order)])).toMatchObject({ code: 0, stdout: all })
  })
})
