import { describe, expect, it } from 'vitest'
import { THIS_NODE } from '../support/nodes.ts'
import { useApps } from './apps.ts'
import { worksOn } from './on-node.ts'

const apps = useApps()
const { run } = apps

describe('the package', () => worksOn(THIS_NODE, apps))

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
