import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeOf, OTHER_NODES } from '../support/nodes.ts'
import { runNode, startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'
import { callsOn } from './on-node/calls.ts'
import { requestsOn } from './on-node/requests.ts'
import { threadsOn } from './on-node/threads.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe.each(OTHER_NODES)('Node %s', (version) => {
  callsOn(version, () => service)
  requestsOn(version, () => service)
  describe('in a worker thread', () => threadsOn(version, () => service))

  it('has an instrumentation of the catalogue if its scope is allowed, also for import', async () => {
    const release = `catalogue ${version}`
    const more = { SVC_OTEL_ALLOWED_SCOPES: '@opentelemetry/instrumentation-http', SVC_RELEASE: release }
    const env = { ...service.env, ...more }
    const server = startNode([...PRELOAD, app('server.mjs')], { node: nodeOf(version), cwd, env })
    const [, port] = await server.printed(/listening on (\d+)/)
    await fetch(`http://127.0.0.1:${port}/chat`, { method: 'POST', body: 'x' }).then((response) => response.text())
    server.kill('SIGTERM')
    expect((await server.ended).stderr).toBe('')
    const spans = service.local.spans().filter((span) => span.attributes['svc.release'] === release)
    expect(spans.map((span) => span.name).sort()).toEqual(['POST', 'chat gpt-test', 'chat gpt-test'])
  })
})

describe('Node without hooks for ES modules', () => {
  const version = '22.14.0'
  let node: string
  beforeAll(() => {
    node = nodeOf(version)
  })

  // That of ES modules is recorded from the request itself.
  it.each(['chat.cjs', 'chat.mjs'])('records a call of %s, with one warning', async (name) => {
    const release = `${version} ${name}`
    const env = { ...service.env, SVC_RELEASE: release }
    const { code, stdout, stderr } = await runNode(['--import', '@svc/register', app(name)], { node, cwd, env })
    expect({ code, stdout, lines: stderr.trim().split('\n') }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^answer: /),
      lines: [
        expect.stringMatching(/Node 22\.14\.0 can instrument libraries that are loaded as CommonJS .*22\.15 or later/),
      ],
    })
    const spans = service.local.spans().filter((span) => span.attributes['svc.release'] === release)
    expect(spans.map((span) => span.name)).toEqual(['chat gpt-test'])
  })
})
