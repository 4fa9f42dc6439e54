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
  it('says nothing of missing keys where nothing is lost, and nothing twice in threads', async () => {
    const none = { SVC_PUBLIC_KEY: undefined, SVC_SECRET_KEY: undefined }
    const idle = await runNode([...PRELOAD, '-e', 'setTimeout(() => {}, 1)'], { cwd, env: { ...service.env, ...none } })
    expect(idle.stderr).toBe('')
    const workers = `const { Worker } = require('node:worker_threads')
      for (const _ of [1, 2]) new Worker(${JSON.stringify(app('chat.mjs'))})`
    for (const [env, line] of [
      [none, /no SVC_PUBLIC_KEY/],
      [{ ...none, SVC_SECRET_KEY: 'sk', SVC_TIMEOUT: 'soon' }, /SVC_TIMEOUT="soon"|no SVC_PUBLIC_KEY/],
      [{ SVC_TIMEOUT: 'soon' }, /SVC_TIMEOUT="soon"/],
    ] as const) {
      const { stderr } = await runNode([...PRELOAD, '-e', workers], { cwd, env: { ...service.env, ...env } })
      expect(lines(stderr)).toContainEqual(expect.stringMatching(line))
      expect(new Set(lines(stderr).map((each) => each.slice(25))).size).toBe(lines(stderr).length)
    }
  })

  it('logs what is missing where no worker may be started for the last spans', async () => {
    const flags = ['--permission', '--allow-fs-read=*', ...PRELOAD, app('end.mjs'), 'with a throw']
    const { code, stderr } = await runNode(flags, { cwd, env: service.env })
    expect(code).toBe(1)
    expect(stderr).toMatch(/denies the worker for it\. Add --allow-worker\. 1 span is lost\./)
    expect(stderr).not.toContain('SVC_SHUTDOWN_TIMEOUT')
  })

  it('sends nothing if the base URL is invalid', async () => {
    const { code, stderr } = await chat({ SVC_BASE_URL: 'localhost' })
    expect(code).toBe(0)
    expect(lines(stderr)).toEqual([
      expect.stringMatching(/SVC_BASE_URL="localhost" is not usable, so nothing is sent: expected a URL/),
    ])
  })
})
