import { afterAll, beforeAll, expect, it } from 'vitest'
import { PRELOAD } from '../preload/apps.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { APPS, startFunction } from './runtime-api.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it('of 1,000 invocations, each of which is frozen with its answer, nothing is lost', async () => {
  const { lambda, roots, calls } = await startFunction(service, 'module.handler')
  const asked: string[] = []
  for (let at = 0; at < 1_000; at++) {
    const question = `question ${at}`
    asked.push(question)
    expect(await lambda.invoke({ question })).toMatchObject({ isError: false })
  }
  await lambda.kill()
  expect(roots().map(({ attributes }) => attributes['svc.observation.input'])).toEqual(asked)
  expect(new Set(roots().map(({ traceId }) => traceId)).size).toBe(1_000)
  expect(calls().map(({ parentSpanId }) => parentSpanId)).toEqual(roots().map(({ spanId }) => spanId))
})

it.each([
  ['answers by its context', 'common.succeeds'],
  ['is a field of an export', 'common.nested.deep.handler'],
  ['is that of Express behind an adapter', 'framework.handler'],
])('what a handler recorded that %s is delivered', async (_, handler) => {
  const { lambda, roots, calls } = await startFunction(service, handler)
  for (const question of ['one', 'two']) expect(await lambda.invoke({ question })).toMatchObject({ isError: false })
  await lambda.kill()
  expect(roots()).toHaveLength(2)
  expect(calls().map(({ parentSpanId }) => parentSpanId)).toEqual(roots().map(({ spanId }) => spanId))
})

it('a span that a framework ends a moment after the answer is delivered with it', async () => {
  const env = { ...service.env, _HANDLER: 'module.framework', SVC_RELEASE: 'direct', SVC_INVOCATION_TIMEOUT: '60' }
  expect(await runNode([...PRELOAD, 'direct.mjs'], { cwd: APPS, env })).toMatchObject({ signal: 'SIGKILL', stderr: '' })
  const spans = service.local.spans().filter(({ attributes }) => attributes['svc.release'] === 'direct')
  expect(spans.map(({ name }) => name)).toEqual(['chat gpt-test', 'request', 'module.framework'])
})

it('an invocation that is about to time out is delivered as one, with what it is waiting for', async () => {
  const { lambda, roots, calls } = await startFunction(service, 'module.late')
  lambda.invoke({ question: 'one' }, { 'lambda-runtime-deadline-ms': String(Date.now() + 20_000) }).catch(() => {})
  await service.local.waitFor(() => roots().length > 0)
  await lambda.kill()
  expect(roots()).toMatchObject([{ status: { code: 2, message: 'the invocation was about to time out' } }])
  expect(calls().map(({ name }) => name)).toEqual(['chat gpt-test', 'thinks'])
})
