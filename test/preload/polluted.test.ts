import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApi } from '@svc/client/api'
import { expect, it, onTestFinished } from 'vitest'
import { runNode } from '../support/run.ts'
import { startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

it('what somebody writes to Object.prototype sends nothing elsewhere, and changes nothing that is sent', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  const stolen: unknown[] = []
  const thief = createServer((request, response) => {
    stolen.push([request.url, request.headers])
    response.end('{}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void thief.close())
  const { SVC_PUBLIC_KEY: publicKey, SVC_SECRET_KEY: secretKey, SVC_BASE_URL: baseUrl } = service.env
  const api = createApi({ publicKey, secretKey, baseUrl })
  await api.prompts.create({ name: 'greeting', type: 'text', prompt: 'Hello', labels: ['production'] })
  const { port } = thief.address() as AddressInfo
  const { code, stdout, stderr } = await runNode([...PRELOAD, app('polluted.mjs')], {
    cwd,
    env: { ...service.env, POLLUTION: JSON.stringify(pollutionBy(port)) },
  })
  expect({ code, stdout, stderr, stolen }).toEqual({ code: 0, stdout: 'prompt: Hello\n', stderr: '', stolen: [] })
  expect(service.local.observations()).toMatchObject([
    { name: 'question', input: 'my prompt', environment: 'default', level: 'DEFAULT' },
  ])
  expect(await service.local.waitForScores(1)).toMatchObject([{ name: 'polluted', environment: 'default' }])
})

/** Names of options, variables, fields of rows and of requests: whatever is read where it may be missing. */
function pollutionBy(port: number): Readonly<Record<string, unknown>> {
  const url = `http://127.0.0.1:${port}`
  const texts = (names: string, value: unknown) => Object.fromEntries(names.split(' ').map((name) => [name, value]))
  return {
    ...texts('baseUrl baseURL url location SVC_BASE_URL SVC_BASEURL', url),
    ...texts('httpProxy httpsProxy http_proxy HTTP_PROXY HTTPS_PROXY proxy', url),
    ...texts('publicKey secretKey SVC_PUBLIC_KEY SVC_SECRET_KEY environment SVC_TRACING_ENVIRONMENT release', 'thief'),
    ...texts('SVC_TRACING_ENABLED tracingEnabled instrument secret', false),
    ...texts('headers additionalHeaders', { authorization: 'thief' }),
    ...texts('whenInvalid service', { value: url, baseUrl: url }),
    ...{ host: '127.0.0.1', hostname: '127.0.0.1', port, method: 'DELETE', level: 4, owner: 'thief', scopes: {} },
    ...{
      spool: 'always',
      exportMode: 'immediate',
      flushAt: 1_000,
      asType: 'tool',
      startTime: 1,
      parentSpanContext: {},
      'retry-after': '3600',
      serviceName: 'thief',
    },
  }
}
