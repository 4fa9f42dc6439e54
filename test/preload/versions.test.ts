import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NODE_VERSIONS, nodeOf } from '../support/nodes.ts'
import { type Ended, runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd } from './apps.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe.each(NODE_VERSIONS)('Node %s', (version) => {
  let node: string
  /** Without the preload: once for each application. */
  const bareRuns = new Map<string, Promise<Ended>>()
  beforeAll(() => {
    node = nodeOf(version)
  })

  it.each([
    ['--import', 'chat.mjs'],
    ['--import', 'chat.cjs'],
    ['--require', 'chat.mjs'],
    ['--require', 'chat.cjs'],
  ])('%s @svc/register %s records the call and does not change the output', async (flag, name) => {
    const release = `${version} ${flag} ${name}`
    const env = { ...service.env, SVC_RELEASE: release }
    const seen = runNode([flag, '@svc/register', app(name)], { node, cwd, env })
    const bare = bareRuns.get(name) ?? runNode([app(name)], { node, cwd, env: service.env })
    bareRuns.set(name, bare)
    const { code, signal, stdout, stderr } = await seen
    expect({ code, signal, stdout, stderr }).toEqual({ code: 0, signal: null, stdout: (await bare).stdout, stderr: '' })

    // chat gpt-test
    const spans = service.local.spans().filter((span) => span.attributes['svc.release'] === release)
    expect(spans.map((span) => span.name)).toEqual(['chat gpt-test'])
  })
})

describe('Node without hooks for ES modules', () => {
  const version = '22.14.0'
  let node: string
  beforeAll(() => {
    node = nodeOf(version)
  })

  it.each([
    ['chat.cjs', ['chat gpt-test']],
    ['chat.mjs', []],
  ])('records %s if it is CommonJS, with one warning', async (name, names) => {
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
    expect(spans.map((span) => span.name)).toEqual(names)
  })
})
