import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

const app = fileURLToPath(new URL('apps/without-global.mjs', import.meta.url))
const cwd = fileURLToPath(new URL('..', import.meta.url))

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it('an application without the global process ends as it does without us, and its spans arrive', async () => {
  const { env, local } = service
  const args = ['--import', '@svc/register', app, 'process', 'deleted', 'exit']
  const { code, stderr } = await runNode(args, { cwd, env })
  expect({ code, stderr, spans: local.spans().length }).toEqual({ code: 3, stderr: '', spans: 2 })
})
