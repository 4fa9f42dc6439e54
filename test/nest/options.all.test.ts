import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { type Column, launch, linesOfSvc } from './support/column.ts'

const column: Column = { nest: 12, adapter: 'express', node: '24.21.0', preload: true }

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('invalid options of SvcModule', () => {
  it('stop the startup with one line each', async () => {
    const wrong = { userId: 'ada', captureinput: true, session: 7, exclude: '/health', nonsense: 1 }
    const app = launch(column, 'unclaimed.js', { ...service.env, OPTIONS: JSON.stringify(wrong) })
    const { code, stdout, stderr } = await app.ended
    expect(code).not.toBe(0)
    const printed = (stdout + stderr).split('\n').filter((line) => /^(\w*Error: )?svc: /.test(line))
    expect(printed.map((line) => line.replace(/^.*?svc: /, ''))).toEqual([
      '"userId" is not an option of SvcModule: did you mean user?',
      '"captureinput" is not an option of SvcModule: did you mean captureInput?',
      'option session of SvcModule is 7: expected a function (request, host) => session id.',
      expect.stringMatching(/^option exclude of SvcModule is "\/health": expected an array of routes/),
      expect.stringMatching(/^"nonsense" is not an option of SvcModule: known are /),
    ])
  })
})

describe('an application that cannot be traced', () => {
  it.each([true, false])('serves requests without keys after one warning (preload: %s)', async (preload) => {
    const app = launch({ ...column, preload }, 'unclaimed.js', {})
    const [, printed = ''] = await app.printed(/listening (.*)/)
    const response = await fetch(`http://127.0.0.1:${JSON.parse(printed).http}/places/guards`)
    expect([response.status, await response.text()]).toEqual([200, 'ok'])
    app.kill('SIGTERM')
    const { stdout, stderr } = await app.ended
    // Said by the preload, or by Nest's logger.
    const lines = [...stderr.trim().split('\n').filter(Boolean), ...linesOfSvc(stdout)]
    expect(lines).toEqual([expect.stringMatching(/SVC_PUBLIC_KEY and SVC_SECRET_KEY/)])
  })

  it.each([true, false])('serves requests without output if tracing is switched off (preload: %s)', async (preload) => {
    const env = { ...service.env, SVC_TRACING_ENABLED: 'false' }
    const app = launch({ ...column, preload }, 'plain.js', env)
    const [, printed = ''] = await app.printed(/listening (.*)/)
    const url = `http://127.0.0.1:${JSON.parse(printed).http}`
    // The handler says whom it is for, and more.
    expect(await (await fetch(`${url}/errands/identified`, { headers: { 'x-user': 'ada' } })).text()).toBe('ok')
    app.kill('SIGTERM')
    const { stdout, stderr } = await app.ended
    expect([linesOfSvc(stdout), stderr]).toEqual([[], ''])
    expect(service.local.count()).toBe(0)
  })
})
