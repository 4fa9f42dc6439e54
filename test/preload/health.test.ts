import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** What the application reads of its health: at the start, after a model call, after a flush. */
async function health(flags: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const { code, stdout } = await runNode([...flags, app('health.mjs')], { cwd, env: { ...service.env, ...env } })
  expect(code).toBe(0)
  return stdout.split('\n').flatMap((line) => (line.startsWith('health: ') ? [JSON.parse(line.slice(8))] : []))
}

const ok = { state: 'ok', ended: 0, sent: 0, pending: 0, dropped: {} }

describe('getSvcHealth', () => {
  it('counts pending, sent and dropped spans', async () => {
    expect(await health(PRELOAD, {})).toEqual([ok, { ...ok, ended: 1, pending: 1 }, { ...ok, ended: 1, sent: 1 }])
  })

  it('reports that nothing is sent without keys', async () => {
    const off = { ...ok, state: 'off' }
    expect(await health(PRELOAD, { SVC_PUBLIC_KEY: undefined, SVC_SECRET_KEY: undefined })).toEqual([off, off, off])
  })

  it('reports an unreachable service, and keeps the span', async () => {
    const [, , last] = await health(PRELOAD, { SVC_BASE_URL: 'http://127.0.0.1:1' })
    expect(last).toEqual({ ...ok, state: 'paused', ended: 1, pending: 1 })
  })
})

describe('the metrics of the application', () => {
  const metersOf = async (env: Readonly<Record<string, string>>) => {
    const { stdout } = await runNode([...PRELOAD, app('metered.mjs')], { cwd, env: { ...service.env, ...env } })
    return stdout.split('\n').filter((line) => line.startsWith('meter: '))
  }

  it('get nothing of us unasked', async () => {
    expect(await metersOf({})).toEqual([])
  })

  it('SVC_HEALTH_METRICS=true adds the ledger', async () => {
    expect(await metersOf({ SVC_HEALTH_METRICS: 'true' })).toEqual(['meter: @svc/otel'])
  })

  it('SVC_GENAI_METRICS=true adds calls, whatever OTEL_METRICS_EXPORTER says', async () => {
    const env = { SVC_GENAI_METRICS: 'true', OTEL_METRICS_EXPORTER: 'console' }
    expect(await metersOf(env)).toEqual(['meter: @svc/otel'])
  })
})
