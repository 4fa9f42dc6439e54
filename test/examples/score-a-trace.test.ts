import { renderTrace } from '@svc/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { readmeOf, timeless } from './readme.ts'

const { folder, args, trace: promised } = readmeOf('score-a-trace')

describe('examples/score-a-trace', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  it('creates the trace shown at the end of its README, and the scores of its table', async () => {
    const run = await runNode(args, { cwd: folder, env: service.env })
    expect(run).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Is tea better than coffee?') })
    const [trace, ...others] = service.local.traces()
    if (!trace || others.length > 0) throw new Error(`expected one trace, got ${others.length + (trace ? 1 : 0)}`)
    expect(timeless(renderTrace(trace))).toBe(timeless(promised))
    const { traceId } = trace
    const observationId = trace.observations.find(({ type }) => type === 'SPAN')?.id
    expect(service.local.scores()).toMatchObject([
      { traceId, observationId, name: 'characters', value: 79, dataType: 'NUMERIC' },
      { traceId, observationId: null, name: 'user-feedback', value: 1, comment: 'on second thought, fine' },
    ])
  })
})
