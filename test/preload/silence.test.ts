import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const chat = (env: Record<string, string | undefined>) =>
  runNode([...PRELOAD, app('chat.mjs')], { cwd, env: { ...service.env, ...env } })

const lines = (text: string) => text.split('\n').filter((line) => line !== '')

describe('an application under a preload that cannot deliver', () => {
  it('runs as without it if keys are missing, after one line that names them', async () => {
    const { code, stdout, stderr } = await chat({ SVC_PUBLIC_KEY: undefined, SVC_SECRET_KEY: undefined })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /) })
    expect(lines(stderr)).toEqual([
      expect.stringMatching(
        /no SVC_PUBLIC_KEY and no SVC_SECRET_KEY, so nothing is traced\. Set .*SVC_TRACING_ENABLED=false/,
      ),
    ])
  })

  it('SVC_TRACING_ENABLED=false sends and prints nothing, with keys or without', async () => {
    const before = service.local.requests().length
    for (const keys of [{}, { SVC_SECRET_KEY: undefined }]) {
      const { code, stderr } = await chat({ SVC_TRACING_ENABLED: 'false', ...keys })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    }
    expect(service.local.requests()).toHaveLength(before)
  })

  it('ends without its spans if the service refuses connections', async () => {
    const { code, stdout, stderr } = await chat({ SVC_BASE_URL: 'http://127.0.0.1:1', SVC_TIMEOUT: '0.3' })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /) })
    expect(lines(stderr)).toEqual([
      expect.stringMatching(/Cannot reach 127\.0\.0\.1:1: .*ECONNREFUSED.* 1 span is lost/),
    ])
  })

  it('logs once which variables to check if the keys are wrong', async () => {
    const { code, stderr } = await chat({ SVC_SECRET_KEY: 'sk-wrong' })
    expect(code).toBe(0)
    expect(lines(stderr)).toHaveLength(1)
    expect(stderr).toMatch(/401.*SVC_PUBLIC_KEY.*SVC_SECRET_KEY/)
    expect(stderr).not.toContain('sk-wrong')
  })

  it('is recorded if Node cannot require ES modules, because the published preload is CommonJS', async () => {
    const before = service.local.spans().length
    const forbidding = ['--no-experimental-require-module', ...PRELOAD, app('chat.mjs')]
    const { code, stdout, stderr } = await runNode(forbidding, { cwd, env: service.env })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /), stderr: '' })
    expect(service.local.spans().length - before).toBe(1)
  })

  it('runs as without it if it cannot be loaded, after one line with the reason', async () => {
    const forbidding = ['--no-experimental-require-module', ...PRELOAD, app('chat.mjs')]
    const { code, stdout, stderr } = await runNode(forbidding, { cwd, env: service.env, asBuilt: true })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /) })
    expect(lines(stderr)).toEqual([
      expect.stringMatching(/svc cannot start, so nothing is traced: require\(\) of ES Module/),
    ])
  })
})
