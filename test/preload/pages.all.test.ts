import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { read, root } from '../house/repository.ts'
import { startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { PRELOAD } from './apps.ts'

// The programs of docs/servers.md, as they are there, but for the port.
const folder = mkdtempSync(join(tmpdir(), 'svc-pages-'))
let service: Service
beforeAll(async () => {
  service = await startService()
  symlinkSync(join(root, 'test/node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'listening.mjs'), LISTENING)
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const LISTENING = `import { subscribe } from 'node:diagnostics_channel'
subscribe('tracing:net.server.listen:asyncEnd', ({ server }) => console.log('listening on ' + server.address().port))`

const programs = [...read('docs/servers.md').matchAll(/^## (.+?)$.*?^```js\n(.*?)^```$/gms)].map(
  ([, title = '', code = '']) => [title, code] as const,
)

it.each(programs)(
  'the program for %s records the user and session of a model call, and of the root',
  async (title, code) => {
    const isServer = code.includes('3000')
    const app = join(folder, `${title.replaceAll(' ', '-')}.mjs`)
    writeFileSync(app, code.replace('3000', '0'))
    const before = service.local.spans().length
    const listening = ['--import', join(folder, 'listening.mjs')]
    const program = startNode([...PRELOAD, ...listening, app], { cwd: folder, env: service.env })
    if (isServer) {
      const [, port] = await program.printed(/listening on (\d+)/)
      const headers = { 'x-user': 'nightly', 'x-session': 'reports', 'content-type': 'application/json' }
      const response = await fetch(`http://127.0.0.1:${port}/chat`, {
        method: 'POST',
        headers,
        body: '{"question":"Who?"}',
      })
      expect(await response.json()).toEqual({ answer: expect.any(String) })
      program.kill('SIGTERM')
    }
    expect((await program.ended).stderr).toBe('')
    // POST /chat, or report
    // └─ chat gpt-4.1-mini
    const spans = service.local.spans().slice(before)
    const root = spans.find(({ parentSpanId }) => parentSpanId === null)
    expect(root?.name).toBe(isServer ? 'POST /chat' : 'report')
    expect(spans).toHaveLength(2)
    for (const { attributes } of spans)
      expect(attributes).toMatchObject({ 'user.id': 'nightly', 'session.id': 'reports' })
  },
)
