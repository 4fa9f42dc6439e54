import { afterAll, beforeAll, expect, it } from 'vitest'
import { app, cwd, PRELOAD } from '../preload/apps.ts'
import { startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** Input and output of the root that a request has under the preload, and the output of the process. */
async function rootUnder(env: Record<string, string>, path = '/chat') {
  const before = service.local.spans().length
  const server = startNode([...PRELOAD, app('server.mjs')], {
    cwd,
    env: { ...service.env, SVC_HTTP_ROOT: 'true', ...env },
  })
  const [, port] = await server.printed(/listening on (\d+)/)
  await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: 'x' }).then((response) => response.text())
  server.kill('SIGTERM')
  const { stderr } = await server.ended
  const root = service.local
    .spans()
    .slice(before)
    .find(({ parentSpanId }) => parentSpanId === null)
  return {
    stderr,
    input: root?.attributes['svc.observation.input'],
    output: root?.attributes['svc.observation.output'],
  }
}

it('SVC_ROOT_IO sets the first user message and the last response on the root of a trace', async () => {
  const { input, output } = await rootUnder({})
  expect(input).toBe('first /chat')
  expect(output).toMatch(/\w/)
})

it('SVC_ROOT_IO respects the content setting', async () => {
  const bounded = await rootUnder({ SVC_CONTENT_MAX_BYTES: '2000' }, `/${'x'.repeat(10_000)}`)
  expect(bounded.input).toMatch(/^first \/x{800,1000}\[truncated by svc: \d+ more characters\]$/)
  const without = await rootUnder({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'false' })
  expect(without).toMatchObject({ input: undefined, output: undefined })
})

it('SVC_ROOT_IO=false sets no input and output on the root', async () => {
  expect(await rootUnder({ SVC_ROOT_IO: 'false' })).toMatchObject({ input: undefined, output: undefined })
})

it('an invalid SVC_ROOT_IO means false, with a warning', async () => {
  const { stderr, input } = await rootUnder({ SVC_ROOT_IO: 'sometimes' })
  expect(stderr).toContain('SVC_ROOT_IO="sometimes"')
  expect(input).toBeUndefined()
})
