import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NODE_VERSIONS, nodeOf } from '../support/nodes.ts'
import { useApps } from './apps.ts'

const { run } = useApps()
const modules = fileURLToPath(new URL('../node_modules', import.meta.url))
let home: string

/** Another installation of the package, with all that it depends on, as a dependency of a dependency may bring it. */
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-copies-'))
  for (const name of ['@svc/tracing', '@svc/core', '@opentelemetry/api']) {
    await cp(join(modules, name), join(home, 'node_modules', name), {
      recursive: true,
      dereference: true,
      filter: (path) => !path.slice(modules.length + name.length + 1).includes('node_modules'),
    })
  }
})
afterAll(() => rm(home, { recursive: true, force: true }))

describe.each(NODE_VERSIONS)('two copies of the package in one process, Node %s', (version) => {
  it('share context, values, provider and logger', async () => {
    const copy = pathToFileURL(join(home, 'node_modules/@svc/tracing/dist/index.js')).href
    const { code, stdout, lines, spans } = await run('two-copies.mjs', { node: nodeOf(version), args: [copy] })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'true\ntrue\ntrue\ntrue\n' })
    expect(lines).toEqual(['configured by theirs [WARN] said by ours'])
    const named = (name: string) => spans.find((span) => span.name === name)
    const [ours, theirs, again] = ['ours', 'theirs', 'ours again'].map(named)
    // ours
    // └─ theirs
    //    └─ ours again
    expect(ours?.attributes['svc.internal.is_app_root']).toBe(true)
    expect(theirs).toMatchObject({
      parentSpanId: ours?.spanId,
      attributes: { 'user.id': 'ada', 'svc.trace.tags': ['a', 'b'], 'svc.observation.output': 'from ours' },
    })
    expect(again).toMatchObject({
      parentSpanId: theirs?.spanId,
      attributes: { 'user.id': 'ada', 'svc.trace.tags': ['a', 'b'] },
    })
  })
})
