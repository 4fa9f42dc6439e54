import { afterEach, expect, it } from 'vitest'
import { type RunningApp, startApp } from './support/column.ts'

let app: RunningApp
afterEach(() => app?.close())

/** The answer of the health route: its status, and what it says of us. */
interface Health {
  readonly http: number
  readonly state?: string
  readonly lastSuccess?: string
  readonly reason?: string
}

it.each([11, 12] as const)(
  'failing delivery is degraded, and the application stays healthy (Nest %i)',
  async (nest) => {
    const column = { nest, adapter: 'express', node: '24.21.0', preload: true } as const
    app = await startApp(column, { entry: 'health.js' })
    const health = async (): Promise<Health> => {
      const response = await fetch(`${app.url}/health`)
      const { info } = (await response.json()) as { info: { svc: Omit<Health, 'http'> } }
      return { http: response.status, ...info.svc }
    }
    expect(await health()).toEqual({ http: 200, status: 'up', state: 'ok', queued: 0 })

    await fetch(`${app.url}/places/guards`)
    await app.service.local.waitForTrace()
    const { lastSuccess } = await answered(health, (svc) => svc.lastSuccess !== undefined)
    expect(lastSuccess).toMatch(/Z$/)

    await app.service.local.close()
    await fetch(`${app.url}/places/guards`)
    const degraded = await answered(health, (svc) => svc.state === 'degraded')
    const time = expect.stringMatching(/Z$/)
    expect(degraded).toMatchObject({ http: 200, lastSuccess: time, lastFailure: time })
    expect(degraded.reason).toEqual(expect.any(String))
  },
)

/** Asks again and again: when a batch is given up nobody but the process itself knows. */
async function answered<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  for (let answer = await ask(); ; answer = await ask()) if (fits(answer)) return answer
}
