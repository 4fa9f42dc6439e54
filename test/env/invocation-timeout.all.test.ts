import { afterAll, beforeAll, expect, it } from 'vitest'
import { startFunction } from '../lambda/runtime-api.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it('SVC_INVOCATION_TIMEOUT bounds how long an invocation waits for its spans, and the next one delivers what is left', async () => {
  service.local.respond('/api/public/otel/v1/traces', { until: new Promise(() => {}) })
  const { lambda, roots } = await startFunction(service, 'common.calls', {
    SVC_INVOCATION_TIMEOUT: '0.2',
    SVC_TIMEOUT: '1',
  })
  await lambda.invoke({ question: 'one' })
  const hasFirst = () => roots().some(({ attributes }) => attributes['faas.invocation_id'] === 'request-1')
  while (!hasFirst()) await lambda.invoke({ question: 'two' })
  await lambda.kill()
  const { stdout, stderr } = await lambda.program.ended
  // The client writes the whole console to the same stream.
  expect(`${stdout}${stderr}`.match(/an invocation ended before all of its spans/g)).toHaveLength(1)
})
