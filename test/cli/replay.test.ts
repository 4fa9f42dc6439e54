import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TraceFile } from '../../packages/cli/src/traces/trace-file.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

const SVC = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url))
const AGENT = fileURLToPath(new URL('./support/replayed-agent.mjs', import.meta.url))
const LOADED = new URL('./loaded.mjs', import.meta.url).href
const TEAM = fileURLToPath(new URL('./support/replayed-team.mjs', import.meta.url))
const RUDE = 'Be rude.'
const command = ['--', process.execPath, AGENT, '2']

let service: Service
let cwd: string
let printed: string
/** The id of the trace, and those of its calls by their starts. */
let trace: string
let calls: readonly string[]

beforeAll(async () => {
  service = await startService()
  cwd = mkdtempSync(join(tmpdir(), 'svc-replay-'))
  printed = (await runNode([SVC, 'run', ...command], options())).stdout
  const spans = service.local.spans().filter(({ name }) => name.startsWith('chat '))
  trace = spans[0]?.traceId ?? ''
  calls = spans
    .toSorted((one, other) => Number(one.startTimeUnixNano) - Number(other.startTimeUnixNano))
    .map(({ spanId }) => spanId)
  writeFileSync(join(cwd, 'rude.txt'), `${RUDE}\n`)
  writeFileSync(
    join(cwd, 'trace.json'),
    (await runNode([SVC, 'traces', 'export', trace.slice(0, 12)], options())).stdout,
  )
})
afterAll(async () => {
  await service.close()
  rmSync(cwd, { recursive: true })
})

const options = (env = {}) => ({ cwd, env: { ...service.env, PATH: process.env.PATH, ...env } })
const run = (args: readonly string[], env = {}) => runNode([SVC, 'replay', ...args], options(env))
/** The system prompts of what the model was asked meanwhile. */
async function asked(act: () => Promise<unknown>): Promise<unknown[]> {
  const before = service.models.requests().length
  await act()
  return service.models
    .requests()
    .slice(before)
    .map(({ body }) => systemOf(body))
}

const systemOf = (body: unknown) => (body as { messages: [{ content: string }] }).messages[0].content

describe('svc replay', () => {
  it('answers all calls from a trace, or its file, without a model or a service', async () => {
    const requests = await asked(async () => {
      const stderr = 'svc replay: 4 of 4 recorded calls answered\n'
      expect(await run([trace, ...command])).toEqual({ code: 0, signal: null, stdout: printed, stderr })
      const nobody = { SVC_BASE_URL: 'http://127.0.0.1:9', OPENAI_BASE_URL: 'https://api.openai.com/v1' }
      expect(await run(['trace.json', ...command], nobody)).toMatchObject({ code: 0, stdout: printed })
    })
    expect(requests).toEqual([])
  })

  it('has no code in an application that runs without it', async () => {
    const loadedBy = async (args: readonly string[], more = {}) => {
      const env = { NODE_OPTIONS: `--import=${LOADED}`, SVC_RECORD: 'raw' }
      const { stdout, stderr } = await runNode(args, { ...options(env), ...more })
      expect(stdout).toBe(printed)
      return stderr.split('\n').filter((line) => line.startsWith('file:') && line.includes('/packages/cli/'))
    }
    const cwd = fileURLToPath(new URL('.', import.meta.url))
    expect(await loadedBy(['--import', '@svc/register', ...command.slice(2)], { cwd })).toEqual([])
    const replayed = await loadedBy([SVC, 'replay', 'trace.json', ...command])
    expect(replayed).toContainEqual(expect.stringMatching(/\/replay\/redirect\.js/))
  })

  it('names the call that a changed prompt diverges at, which fails', async () => {
    const requests = await asked(async () => {
      const { code, stderr } = await run([trace, ...command], { SYSTEM: RUDE })
      expect(code).toBe(1)
      expect(stderr).toContain(
        `svc replay: a request differs from chat gpt-4.1-mini (${calls[2]?.slice(0, 12)}): message 1 (system) was "Be brief.", is "Be rude.". `,
      )
      expect(stderr).toContain('svc replay: 2 of 4 recorded calls answered; not asked for: chat gpt-4.1-mini')
    })
    expect(requests).toEqual([])
  })

  it('sends what differs to the model on demand', async () => {
    const requests = await asked(async () => {
      const ended = await run([trace, '--on-divergence', 'live', ...command], { SYSTEM: RUDE })
      expect(ended).toMatchObject({
        code: 0,
        stdout: printed,
        stderr: expect.stringContaining('It is sent to the model'),
      })
    })
    expect(requests).toEqual([RUDE, RUDE])
  })

  it('sends all calls from an observation on, with another system prompt', async () => {
    const requests = await asked(async () => {
      const until = calls[3]?.slice(0, 10) ?? ''
      const ended = await run([trace, '--until', until, '--change', 'rude.txt', ...command])
      expect(ended).toMatchObject({ code: 0, stdout: printed, stderr: 'svc replay: 3 of 3 recorded calls answered\n' })
    })
    expect(requests).toEqual([RUDE])
  })

  it('answers equal requests at the same time by their places, also in another order and process', async () => {
    const team = (order: string) => ['--', process.execPath, TEAM, order]
    await runNode([SVC, 'run', ...team('north,south,east')], options())
    const traceId = service.local.spans().find(({ name }) => name === 'team')?.traceId ?? ''
    const { stdout } = await runNode([SVC, 'traces', 'export', traceId], options())
    // The model gives all the same answer.
    const recorded = JSON.parse(stdout) as TraceFile
    const nameOf = (id: string | null) => recorded.observations.find((each) => each.id === id)?.name
    const observations = recorded.observations.map((each) =>
      each.type === 'GENERATION' ? { ...each, output: `I am ${nameOf(each.parentObservationId)}.` } : each,
    )
    writeFileSync(join(cwd, 'team.json'), JSON.stringify({ ...recorded, observations }))
    const printed = ['north', 'south', 'east', 'child'].map((name) => `${name}: I am ${name}.\n`).join('')
    for (const order of ['north,south,east', 'east,south,north'])
      expect(await run(['team.json', ...team(order)])).toMatchObject({ code: 0, stdout: printed })
  })

  it.each([
    [['trace.json'], 'name a command: svc replay <trace> -- node app.js'],
    [['rude.txt', ...command], 'rude.txt is no trace: svc traces export <id> writes one'],
    [['trace.json', '--until', 'none', ...command], 'the trace has no observation none'],
    [['trace.json', '--on-divergence', 'no', ...command], '--on-divergence no: expected live or fail'],
  ])('%j is refused', async (args, message) => {
    expect(await run(args)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) })
  })
})

describe('replay()', () => {
  it('answers the requests of a test, and lists what differs', async () => {
    const program = `
      import { replay } from '@svc/cli/replay'
      const { differences, close } = await replay('trace.json')
      const { agent } = await import(${JSON.stringify(AGENT)})
      console.log(await agent(2))
      console.log(await agent(1).catch(({ message }) => message))
      console.log(differences()[0])
      await close()
      console.log((await agent(0)).split('\\n').length)`
    writeFileSync(
      join(cwd, 'test.mjs'),
      program.replace('@svc/cli/replay', new URL('../../packages/cli/dist/replay/replay.js', import.meta.url).href),
    )
    const requests = await asked(async () => {
      const { code, stdout, stderr } = await runNode(['test.mjs'], options())
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const refused = 'a request was made after all recorded calls were answered'
      expect(stdout).toBe(`${printed}400 svc replay: ${refused}\n${refused}\n2\n`)
    })
    // After it was closed.
    expect(requests).toEqual(['Always the same.', 'Always the same.'])
  })
})
