import { beforeAll, expect, it } from 'vitest'
import { nodeOf } from '../../support/nodes.ts'
import { runNode } from '../../support/run.ts'
import type { Service } from '../../support/service.ts'
import { app, cwd, PRELOAD } from '../apps.ts'

/** What is used first in a worker thread, on that Node. */
export function threadsOn(version: string, service: () => Service): void {
  let node: string
  beforeAll(() => {
    node = nodeOf(version)
  })

  async function use(what: string, more: Record<string, string> = {}, args = [...PRELOAD, app('thread.mjs')]) {
    const release = [version, what, ...Object.keys(more), ...args].join(' ')
    const env = { ...service().env, ...more, USE: what, SVC_RELEASE: release }
    const { code, stdout, stderr } = await runNode(args, { node, cwd, env })
    const spans = service()
      .local.spans()
      .filter((span) => span.attributes['svc.release'] === release)
    return { code, stdout, stderr, spans }
  }

  it.each([
    ['import of a library', ['chat gpt-test']],
    ['require of a library', ['chat gpt-test']],
    ['an observation', ['work']],
    ['the AI SDK', ['chat mock-model-id', 'invoke_agent mock-model-id', 'step 1']],
    ['a request', ['GET /', 'chat gpt-test']],
    ['nothing', []],
  ])('%s is the first use, and nothing is missing', async (what, names) => {
    const { code, stderr, spans } = await use(what)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(spans.map((span) => span.name).sort()).toEqual([...names].sort())
    expect(new Set(spans.map((span) => span.traceId)).size).toBe(names.length > 0 ? 1 : 0)
  })

  it('a bundled AI SDK has our telemetry', async () => {
    expect(await use('a bundled AI SDK')).toMatchObject({ code: 0, stdout: 'integrations: 1\n', stderr: '' })
  })

  it('calls of a bundled library are reported', async () => {
    const { stderr } = await use('a bundled library')
    expect(stderr.match(/openai is part of a bundle/g)).toHaveLength(1)
  })

  // Node runs no --import in a thread from the text of a CommonJS module.
  it.each([
    ['--import', 'a CommonJS module', []],
    ['--import', 'an ES module', ['chat gpt-test']],
    ['--require', 'a CommonJS module', ['chat gpt-test']],
    ['--require', 'an ES module', ['chat gpt-test']],
  ])('%s records a thread from the text of %s: %j', async (flag, what, names) => {
    const { code, stderr, spans } = await use(what, {}, [flag, '@svc/register', app('text-worker.mjs')])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(spans.map((span) => span.name)).toEqual(names)
  })

  it('a disabled instrumentation stays disabled', async () => {
    const { spans } = await use('import of a library', { SVC_DISABLED_INSTRUMENTATIONS: 'openai' })
    expect(spans).toEqual([])
  })
}
