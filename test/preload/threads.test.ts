import { afterAll, beforeAll, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it('a model call in a worker thread is recorded, and the thread ends', async () => {
  const { code, stderr } = await runNode([...PRELOAD, app('worker.mjs')], { cwd, env: service.env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(service.local.spans().map((span) => span.name)).toEqual(['chat gpt-test'])
})
