import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { startFunction } from './runtime-api.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const TRACE = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1'

/*
 * shop                  the function
 * └─ a model call
 */
describe('what an invocation of AWS Lambda recorded is delivered before the process freezes, by a handler', () => {
  it.each([
    ['of an ES module', 'module.handler'],
    ['that streams its response', 'module.streams'],
    ['with a callback', 'common.calls'],
    ['of a bundle', 'common.bundled'],
  ])('%s', async (_, handler) => {
    const { lambda, roots, calls } = await startFunction(service, handler)
    const answers = [await lambda.invoke({ question: 'one' }), await lambda.invoke({ question: 'two' })]
    await lambda.kill()
    expect(answers).toEqual(Array(2).fill({ body: { answer: expect.any(String) }, isError: false }))
    expect(roots().map(({ attributes }) => attributes)).toMatchObject(
      [true, false].map((isCold, at) => ({
        'faas.invocation_id': `request-${at + 1}`,
        'faas.coldstart': isCold,
        'faas.trigger': 'other',
        'cloud.resource_id': 'arn:aws:lambda:eu-west-1:123456789012:function:shop',
      })),
    )
    expect(calls().map(({ parentSpanId }) => parentSpanId)).toEqual(roots().map(({ spanId }) => spanId))
  })
})

it('an invocation that fails answers with the error, which its root has, too', async () => {
  const { lambda, roots } = await startFunction(service, 'module.fails')
  const answer = await lambda.invoke({ question: 'one' }, { 'lambda-runtime-trace-id': TRACE })
  await lambda.kill()
  expect(answer).toMatchObject({ isError: true, body: { errorType: 'RangeError', errorMessage: 'no such city' } })
  expect(roots()).toMatchObject([
    {
      status: { message: 'no such city' },
      links: [{ traceId: '5759e988bd862e3fe1be46a994272793', spanId: '53995c3f42cd8ad8' }],
    },
  ])
})

it('an import of svc in the file of the handler is too late, which a line says', async () => {
  const { lambda } = await startFunction(service, 'imports.handler', {}, [])
  expect(await lambda.invoke({ question: 'one' })).toMatchObject({ isError: false })
  await lambda.kill()
  // Where AWS Lambda writes what the console is given.
  const { stdout } = await lambda.program.ended
  expect(stdout.match(/svc was imported on AWS Lambda/g)).toHaveLength(1)
})
