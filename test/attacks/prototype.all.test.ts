import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApi } from '@svc/client/api'
import { describe, expect, it, onTestFinished } from 'vitest'
import { app, cwd, PRELOAD } from '../preload/apps.ts'
import { runNode } from '../support/run.ts'
import { startService } from '../support/service.ts'

/** Pollutes before anything of ours is loaded. */
const EARLY = [
  '--import',
  `data:text/javascript,${encodeURIComponent('Object.assign(Object.prototype, JSON.parse(process.env.POLLUTION))')}`,
]

/** Each alone, so that none hides another. THIEF stands for an address. */
const POLLUTION: readonly Readonly<Record<string, unknown>>[] = [
  { baseUrl: 'THIEF', baseURL: 'THIEF', SVC_BASE_URL: 'THIEF', SVC_BASEURL: 'THIEF', url: 'THIEF' },
  { secretKey: 'thief', publicKey: 'thief', SVC_SECRET_KEY: 'thief', SVC_PUBLIC_KEY: 'thief' },
  { http_proxy: 'THIEF', HTTP_PROXY: 'THIEF', httpProxy: 'THIEF', httpsProxy: 'THIEF', proxy: 'THIEF' },
  {
    SVC_ADDITIONAL_HEADERS: 'authorization=thief',
    additionalHeaders: { authorization: 'thief' },
    headers: { a: 'thief' },
  },
  { host: '127.0.0.1', hostname: '127.0.0.1', port: 1, method: 'DELETE' },
  { default: 'THIEF', secret: false, whenInvalid: { value: 'THIEF', done: 'thief' } },
  { environment: 'thief', release: 'thief', userId: 'thief', sessionId: 'thief', tags: ['thief'] },
  { SVC_TRACING_ENABLED: 'false', OTEL_SDK_DISABLED: 'true', tracingEnabled: false, SVC_CONFIG_FILE: '/none.mjs' },
  { level: 'ERROR', statusMessage: 'thief', input: 'thief', output: 'thief', metadata: { thief: 1 } },
  { exporter: {}, mask: {}, shouldExportSpan: false, exportMode: 'none', spool: 'always', rootIo: false },
  { location: 'THIEF', 'retry-after': '3600', date: 'thief', 'content-type': 'text/html' },
]

describe('nothing that is written to Object.prototype leads elsewhere or changes what is sent:', () => {
  it.each(
    POLLUTION.flatMap((each) => [
      [Object.keys(each).join(' '), 'before', each] as const,
      [Object.keys(each).join(' '), 'after', each] as const,
    ]),
  )('%s, %s the start', async (_, when, pollution) => {
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
    const written = JSON.stringify(pollution).replaceAll('THIEF', `http://127.0.0.1:${port}`)
    const early = when === 'before' ? EARLY : []
    const { code, stdout, stderr } = await runNode([...early, ...PRELOAD, app('polluted.mjs')], {
      cwd,
      env: { ...service.env, POLLUTION: written },
    })
    expect({ code, stdout, stderr, stolen }).toEqual({ code: 0, stdout: 'prompt: Hello\n', stderr: '', stolen: [] })
    expect(service.local.observations()).toMatchObject([
      { name: 'question', input: 'my prompt', output: null, environment: 'default', level: 'DEFAULT', userId: null },
    ])
    expect(await service.local.waitForScores(1)).toMatchObject([{ name: 'polluted', environment: 'default' }])
  })
})
