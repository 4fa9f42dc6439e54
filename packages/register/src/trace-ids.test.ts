import { isValidSpanId, isValidTraceId } from '@opentelemetry/api'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { TraceIds } from './trace-ids.ts'

describe('ids', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('are valid, and all different', () => {
    const ids = new TraceIds()
    const seen = new Set<string>()
    for (let times = 0; times < 1_000; times++) {
      const [trace, span] = [ids.generateTraceId(), ids.generateSpanId()]
      expect([isValidTraceId(trace), isValidSpanId(span)]).toEqual([true, true])
      seen.add(trace).add(span)
    }
    expect(seen.size).toBe(2_000)
  })

  it('are valid even if all random numbers are 0', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const ids = new TraceIds()
    expect([isValidTraceId(ids.generateTraceId()), isValidSpanId(ids.generateSpanId())]).toEqual([true, true])
  })

  it('are the chosen one for roots of one trace', () => {
    const ids = new TraceIds()
    const chosen = 'a'.repeat(32)
    expect(ids.within(chosen, () => [ids.generateTraceId(), ids.generateTraceId()])).toEqual([chosen, chosen])
    expect(ids.generateTraceId()).not.toBe(chosen)
  })
})
