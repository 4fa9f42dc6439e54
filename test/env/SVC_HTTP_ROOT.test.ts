import { afterAll, beforeAll, expect, it } from 'vitest'
import { app, cwd, PRELOAD } from '../preload/apps.ts'
import { startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** The names of the spans without a parent that a request of two model calls leaves, and the output of the process. */
async function rootsUnder(value: string | undefined) {
  const before = service.local.spans().length
  const server = startNode([...PRELOAD, app('server.mjs')], { cwd, env: { ...service.env, SVC_HTTP_ROOT: value } })
  const [, port] = await server.printed(/listening on (\d+)/)
  await fetch(`http://127.0.0.1:${port}/chat`, { method: 'POST', body: 'x' }).then((response) => response.text())
  server.kill('SIGTERM')
  const { stderr } = await server.ended
  const spans = service.local.spans().slice(before)
  return { stderr, roots: spans.filter(({ parentSpanId }) => parentSpanId === null).map(({ name }) => name) }
}

it.each([undefined, 'auto', 'true'])(
  'SVC_HTTP_ROOT=%s makes calls of a request children of its root span',
  async (value) => {
    expect(await rootsUnder(value)).toEqual({ stderr: '', roots: ['POST /chat'] })
  },
)

it('SVC_HTTP_ROOT=false leaves calls of a request without a common root', async () => {
  expect((await rootsUnder('false')).roots).toEqual(['chat gpt-test', 'chat gpt-test'])
})

it('an invalid SVC_HTTP_ROOT means auto, with a warning', async () => {
  const { stderr, roots } = await rootsUnder('sometimes')
  expect(stderr).toContain('SVC_HTTP_ROOT="sometimes"')
  expect(roots).toEqual(['POST /chat'])
})
