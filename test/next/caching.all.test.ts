import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Ended } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { build, folderOf } from './app.ts'
import { caching, makeCachingCells } from './cases/caching.ts'

// A third application, with Cache Components: a file for each way in which Next keeps what a function made.
let service: Service
let built: Ended
beforeAll(async () => {
  service = await startService()
  rmSync(folderOf('cache-app', '.next'), { recursive: true, force: true })
  makeCachingCells()
  built = await build('cache-app', service.env)
}, 900_000)
afterAll(() => service?.close())

it('is built', () => {
  expect(built.code, built.stdout + built.stderr).toBe(0)
})

caching(() => service)
