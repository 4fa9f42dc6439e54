import { renderTrace } from '@svc/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { readmeOf, timeless } from './readme.ts'

const { folder, args, trace } = readmeOf('env-only')
const entries = { 'app.js': args, 'app.cjs': args.map((word) => word.replace('app.js', 'app.cjs')) }

describe.each(Object.entries(entries))('examples/env-only, %s', (_entry, command) => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  it('creates the trace shown at the end of its README', async () => {
    const app = startNode(command, { cwd: folder, env: { ...service.env, SVC_HTTP_ROOT: 'true', PORT: '0' } })
    const [, url] = await app.printed(/(http:\S+)/)
    const question = 'What is the weather in Paris?'
    const answers = []
    for (const path of ['/chat', '/stream', '/tools']) {
      const body = JSON.stringify({ question })
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
      answers.push(response.status)
    }
    app.kill('SIGTERM')
    expect(await app.ended).toMatchObject({ signal: 'SIGTERM', stderr: '' })
    expect(answers).toEqual([200, 200, 200])
    const drawn = service.local.traces().map((each) => timeless(renderTrace(each)))
    expect(drawn).toHaveLength(3)
    expect(drawn.at(-1)).toBe(timeless(trace))
  })

  it('has no line of telemetry in its source', async () => {
    const { default: source } = await import(`${folder}${command.at(-1)}?raw`)
    expect(source).not.toMatch(/svc|telemetry|trac/i)
  })
})
