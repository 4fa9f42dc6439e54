import { expect, it, onTestFinished } from 'vitest'
import { runNode } from '../support/run.ts'
import { startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

/** What applications patch, or configure before it is first used, and what is long to load. */
const APPLICATIONS_OWN = ['http', 'https', 'tls', 'zlib']

it('the preload loads no network or compression modules at startup', async () => {
  // Written past the console, which needs a socket for a pipe.
  const code = `require('node:fs').writeSync(1, process.moduleLoadList.join())`
  const env = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: 'http://127.0.0.1:9' }
  const { code: ended, stdout, stderr } = await runNode([...PRELOAD, '-e', code], { cwd, env })
  expect({ ended, stderr }).toEqual({ ended: 0, stderr: '' })
  const loaded = stdout.trim().split(',')
  expect(loaded).toContain('NativeModule fs')
  expect(APPLICATIONS_OWN.filter((name) => loaded.includes(`NativeModule ${name}`))).toEqual([])
})

it.each(['Object.preventExtensions(globalThis)', 'Object.seal(globalThis)'])(
  'a first use after %s finds the runtime',
  async (code) => {
    const env = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: 'http://127.0.0.1:9' }
    const use = `${code}; require('node:fs').writeSync(1, globalThis[Symbol.for('svc.runtime.6')].owner)`
    const { code: ended, stdout, stderr } = await runNode([...PRELOAD, '-e', use], { cwd, env })
    expect({ ended, stdout, stderr }).toEqual({ ended: 0, stdout: '@svc/register\n', stderr: '' })
  },
)

it('the root of a request has the route of a router that was loaded before any library', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  const { code, stderr } = await runNode([...PRELOAD, app('router-first.mjs')], { cwd, env: service.env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(service.local.spans().map((span) => span.name)).toContain('GET /chat/:topic')
})
