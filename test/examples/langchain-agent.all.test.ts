import { renderTrace } from '@svc/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { readmeOf, timeless } from './readme.ts'

const { folder, args, trace: promised } = readmeOf('langchain-agent')

describe('examples/langchain-agent', () => {
  let service: Service
  let values: string
  beforeAll(async () => {
    service = await startService()
    const { stdout, ...run } = await runNode([...args], { cwd: folder, env: service.env })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    values = stdout.trim()
  })
  afterAll(() => service.close())

  it('creates the trace shown at the end of its README', () => {
    const traces = service.local.traces()
    expect(traces.map((trace) => timeless(renderTrace(trace)))).toEqual([timeless(promised)])
  })

  it('has user and session on every span, from LangChain metadata', () => {
    for (const { attributes } of service.local.spans()) {
      expect(attributes).toMatchObject({ 'user.id': 'ada', 'session.id': 'summer-trip', 'svc.trace.tags': ['travel'] })
    }
  })

  it('has input and output of each tool, and the response of the agent', () => {
    const observations = service.local.observations()
    const weatherIn = (city: string) => [{ city }, { city, degrees: 21, sky: 'clear' }]
    const tools = observations.filter(({ type }) => type === 'TOOL')
    const steps = tools.map(({ input, output }) => [input, output])
    // Both begin at once, in one millisecond or two.
    expect(steps).toHaveLength(2)
    expect(steps).toEqual(expect.arrayContaining([weatherIn('Paris'), weatherIn('Rome')]))
    const root = observations.find(({ parentId }) => parentId === null)
    expect(root).toMatchObject({ name: 'forecaster', input: [{ role: 'user' }] })
    expect(JSON.stringify(root?.output)).toContain(JSON.stringify(values).slice(1, -1))
  })
})
