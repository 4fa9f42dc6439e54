import { afterAll, beforeAll, expect } from 'vitest'
import type { Service } from '../../support/service.ts'
import { type App, type StartWish, start } from '../app.ts'

/**
 * Starts the application before the tests of a group, and stops it after them: with the exit code of Next, and without
 * a word of ours but what one of the tests expects, once.
 */
export function running(service: () => Service, wish: StartWish, expected?: RegExp): () => App {
  let app: App
  beforeAll(async () => {
    app = await start(service(), wish)
  })
  afterAll(async () => {
    const { code, signal, stderr } = await app.stop()
    expect([code, signal]).toEqual([wish.exits ?? 143, null])
    const all = stderr.match(/\[Svc SDK\].*/g) ?? []
    // Forged headers are reported once by each runtime: Node, and each sandbox of the edge.
    const { isForged = false } = wish
    const logged = all.filter((line) => !isForged || !/names a trace or a user, which is not trusted/.test(line))
    expect(all.length - logged.length).toBeLessThanOrEqual(3)
    expect(logged.filter((line) => !expected?.test(line))).toEqual([])
    // The test that expects it may not be among those that ran (`-t`): it waits for it itself.
    expect(logged.length).toBeLessThanOrEqual(1)
  })
  return () => app
}
