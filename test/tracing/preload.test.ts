import { describe, expect, it } from 'vitest'
import { NODE_VERSIONS, nodeOf } from '../support/nodes.ts'
import { useApps } from './apps.ts'

const { run } = useApps()

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

describe.each(NODE_VERSIONS)('Node %s', (version) => {
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
})

describe('a function that needs an active span', () => {
  it('warns once if tracing is off', async () => {
    const { code, lines } = await run('active.mjs', { flags: [] })
    expect({ code, lines }).toEqual({
      code: 0,
      lines: ['updateActiveObservation', 'setActiveTraceAsPublic'].map((name) =>
        expect.stringContaining(`[WARN] ${name} does nothing, because no span is active: `),
      ),
    })
  })

  it('finds it under the preload', async () => {
    const { lines, attributes } = await run('active.mjs')
    expect(lines).toEqual([])
    expect(attributes('work')).toMatchObject({ 'svc.observation.output': '1', 'svc.trace.public': true })
  })
})
