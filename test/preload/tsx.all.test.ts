import { afterAll, beforeAll, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it.each([
  ['after our preload', [...PRELOAD, '--import', 'tsx', app('chat.ts')]],
  ['before it', ['--import', 'tsx', ...PRELOAD, app('chat.ts')]],
])('calls of TypeScript that tsx compiles are recorded: %s', async (_, args) => {
  const before = service.local.count()
  const { code, stdout, stderr } = await runNode(args, { cwd, env: service.env })
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /), stderr: '' })
  expect(service.local.count()).toBe(before + 1)
})
