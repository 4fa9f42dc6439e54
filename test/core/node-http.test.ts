import { describe, expect, it } from 'vitest'
import { startProxy } from '../../packages/core/test/support/proxy.ts'
import { startRawServer } from '../../packages/core/test/support/raw-server.ts'
import { run } from './run.ts'

describe('a process with nothing else to do ends', () => {
  const ended = { code: 0, signal: null, stdout: '', stderr: '' }

  it.each(['http://svc.test/', 'https://svc.test/'])('while a proxy hangs before %s', async (url) => {
    await using proxy = await startRawServer(() => {})
    expect(await run('opens-request.mjs', [url, proxy.url])).toEqual(ended)
  })

  it('while a service hangs behind a tunnel', async () => {
    await using server = await startRawServer(() => {})
    await using proxy = await startProxy({ to: server.port })
    expect(await run('opens-request.mjs', ['https://svc.test/', proxy.url()])).toEqual(ended)
  })

  it('while a service hangs', async () => {
    await using server = await startRawServer(() => {})
    expect(await run('opens-request.mjs', [server.url])).toEqual(ended)
  })
})
