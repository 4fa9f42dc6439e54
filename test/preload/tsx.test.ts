import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

const TSX = createRequire(import.meta.url).resolve('tsx/cli')

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it('calls of TypeScript that tsx compiles are recorded', async () => {
  const { code, stdout, stderr } = await runNode([TSX, ...PRELOAD, app('chat.ts')], { cwd, env: service.env })
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /), stderr: '' })
  expect(service.local.count()).toBe(1)
})
