import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeOf } from '../support/nodes.ts'
import type { useApps } from './apps.ts'

type Apps = ReturnType<typeof useApps>

const modules = fileURLToPath(new URL('../node_modules', import.meta.url))

const DID = {
  chained: true,
  class: true,
  awaited: 'agent is done',
  thrown: 'no',
  method: 42,
  length: 1,
  streamed: [0, 1, 2],
  propagated: 'ran',
  seeded: '0bafe22156d2698c143b86040446d366',
  random: 32,
  outside: [null, null],
  provider: 'function',
}

/** The package with and without the preload, on that Node. */
export function worksOn(version: string, { run }: Apps): void {
  describe.each(['work.mjs', 'work.cjs'])('%s', (name) => {
    it('works without the preload, without output, and sends nothing', async () => {
      const { code, stdout, stderr, spans } = await run(name, { node: nodeOf(version), flags: [] })
      expect({ code, stderr, did: JSON.parse(stdout) }).toEqual({ code: 0, stderr: '', did: DID })
      expect(spans).toEqual([])
    })

    it.each(['--import', '--require'])('is recorded under %s @svc/register', async (flag) => {
      const { code, stdout, stderr, spans } = await run(name, {
        node: nodeOf(version),
        flags: [flag, '@svc/register'],
      })
      expect({ code, stderr, did: JSON.parse(stdout) }).toEqual({ code: 0, stderr: '', did: DID })
      const seen = spans.map((span) => [span.name, span.attributes['svc.observation.type']])
      expect(seen.toSorted()).toEqual([
        ['add', 'span'],
        ['agent', 'agent'],
        ['event', 'event'],
        ['failing', 'span'],
        ['generation', 'generation'],
        ['inside', 'span'],
        ['span', 'span'],
        ['steps', 'span'],
      ])
    })
  })
}

/** Two installed copies of the package in one process, on that Node. */
export function copiesOn(version: string, { run }: Apps): void {
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
}
