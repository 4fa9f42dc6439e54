import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ended } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { type AppName, build, folderOf } from './app.ts'
import { CHAT } from './cases/chat.ts'
import { running } from './cases/running.ts'
import { Visitor } from './cases/visitor.ts'
import { drawing } from './drawn.ts'

// The oldest versions of Next that are understood. All other tests run with the newest one.
const OLDEST: readonly AppName[] = ['next-15.5', 'next-16.0']

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

describe.each(OLDEST)('%s', (app) => {
  let built: Ended
  beforeAll(async () => {
    rmSync(folderOf(app, '.next'), { recursive: true, force: true })
    cpSync(folderOf('any-version'), folderOf(app), { recursive: true })
    built = await build(app, service.env)
  }, 900_000)

  it('builds, and accepts every option', () => {
    const printed = built.stdout + built.stderr
    expect(built.code, printed).toBe(0)
    expect(printed).not.toMatch(/unrecognized|invalid next\.config|\[Svc SDK\]/i)
  })

  it('has the public key in the page, and not the secret one', () => {
    const folder = folderOf(app, '.next/static')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
    const code = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
    expect(code).toContain(service.local.publicKey)
    expect(code).toContain(service.local.url)
    expect(code).not.toContain(service.local.secretKey)
  })

  describe('next start', () => {
    const started = running(() => service, { app, exits: 0, env: { SVC_FLUSH_INTERVAL: '0.05' } })

    it('records a route as one trace with the user of the proxy', async () => {
      const ada = new Visitor(started())
      await ada.post('/api/chat', JSON.stringify({ prompt: 'Say hi' }))
      expect(await drawing(service.local, ada.user, CHAT)).toBe(CHAT)
    })

    it('keeps a cached route static', async () => {
      const response = await fetch(`${started().url}/api/fresh`)
      expect([response.status, response.headers.get('x-nextjs-cache')]).toEqual([
        200,
        expect.stringMatching(/HIT|STALE/),
      ])
    })
  })
})

describe('next dev', () => {
  const app: AppName = 'next-16.0'
  const started = running(
    () => service,
    { app, how: 'dev', exits: 0 },
    /instrumentation.js was edited.*restart "next dev"/,
  )

  it('warns that changed options need a restart', async () => {
    const file = folderOf(app, 'instrumentation.js')
    writeFileSync(file, readFileSync(file, 'utf8').replace("release: 'first'", "release: 'second'"))
    await started().printed(/was edited/)
  })
})
