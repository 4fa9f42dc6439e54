import { renderTrace } from '@svc/local'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { readmeOf, timeless } from './readme.ts'

const { folder, args, trace } = readmeOf('lambda')

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it('examples/lambda is killed with its answer, and has created the trace shown in its README', async () => {
  const env = { ...service.env, _HANDLER: 'index.handler', SVC_INVOCATION_TIMEOUT: '60' }
  expect(await runNode(args, { cwd: folder, env })).toMatchObject({ signal: 'SIGKILL', stderr: '' })
  expect(service.local.traces().map((each) => timeless(renderTrace(each)))).toEqual([timeless(trace)])
})
