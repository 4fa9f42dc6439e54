import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { AGENT, command, RUDE, useRecorded } from './support/recorded-run.ts'
import { runSvc } from './support/svc.ts'

const recorded = useRecorded()

describe('svc replay', () => {
  it('answers all calls from a trace, or its file, without a model or a service', async () => {
    const requests = await recorded().asked(async () => {
      const stderr = 'svc replay: 4 of 4 recorded calls answered\n'
      expect(await recorded().replay([recorded().trace, ...command])).toEqual({
        code: 0,
        signal: null,
        stdout: recorded().printed,
        stderr,
      })
      const nobody = { SVC_BASE_URL: 'http://127.0.0.1:9', OPENAI_BASE_URL: 'https://api.openai.com/v1' }
      expect(await recorded().replay(['trace.json', ...command], nobody)).toMatchObject({
        code: 0,
        stdout: recorded().printed,
      })
    })
    expect(requests).toEqual([])
  })

  it('names the call that a changed prompt diverges at, which fails', async () => {
    const requests = await recorded().asked(async () => {
      const { code, stderr } = await recorded().replay([recorded().trace, ...command], { SYSTEM: RUDE })
      expect(code).toBe(1)
      expect(stderr).toContain(
        `svc replay: a request differs from chat gpt-4.1-mini (${recorded().calls[2]?.slice(0, 12)}): message 1 (system) was "Be brief.", is "Be rude.". `,
      )
      expect(stderr).toContain('svc replay: 2 of 4 recorded calls answered; not asked for: chat gpt-4.1-mini')
    })
    expect(requests).toEqual([])
  })

  it('sends all calls from an observation on, with another system prompt', async () => {
    const requests = await recorded().asked(async () => {
      const until = recorded().calls[3]?.slice(0, 10) ?? ''
      const ended = await recorded().replay([recorded().trace, '--until', until, '--change', 'rude.txt', ...command])
      expect(ended).toMatchObject({
        code: 0,
        stdout: recorded().printed,
        stderr: 'svc replay: 3 of 3 recorded calls answered\n',
      })
    })
    expect(requests).toEqual([RUDE])
  })

  it.each([
    [['trace.json'], 'name a command: svc replay <trace> -- node app.js'],
    [['rude.txt', ...command], 'rude.txt is no trace: svc traces export <id> writes one'],
    [['trace.json', '--until', 'none', ...command], 'the trace has no observation none'],
    [['trace.json', '--on-divergence', 'no', ...command], '--on-divergence no: expected live or fail'],
  ])('%j is refused', async (args, message) => {
    expect(await runSvc(['replay', ...args], recorded().options())).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
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
      join(recorded().cwd, 'test.mjs'),
      program.replace('@svc/cli/replay', new URL('../../packages/cli/dist/replay/replay.js', import.meta.url).href),
    )
    const requests = await recorded().asked(async () => {
      const { code, stdout, stderr } = await runNode(['test.mjs'], recorded().options())
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const refused = 'a request was made after all recorded calls were answered'
      expect(stdout).toBe(`${recorded().printed}400 svc replay: ${refused}\n${refused}\n2\n`)
    })
    // After it was closed.
    expect(requests).toEqual(['Always the same.', 'Always the same.'])
  })
})
