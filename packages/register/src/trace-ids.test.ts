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

  it('differ between processes, even of a program that seeds Math.random, and take none of its numbers', () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const one = new TraceIds()
    const other = new TraceIds()
    const ids = Array.from({ length: 1_000 }, () => [one.generateSpanId(), other.generateSpanId()]).flat()
    expect(random).not.toHaveBeenCalled()
    expect(new Set(ids).size).toBe(2_000)
  })

  it('have each digit equally often', () => {
    const ids = new TraceIds()
    const digits = new Map<string, number>()
    for (let times = 0; times < 10_000; times++) {
      for (const digit of ids.generateTraceId()) digits.set(digit, (digits.get(digit) ?? 0) + 1)
    }
    expect(digits.size).toBe(16)
    for (const count of digits.values()) expect(Math.abs(count - 20_000)).toBeLessThan(1_000)
  })

  it('are those of another span, once', () => {
    const ids = new TraceIds()
    const other = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }
    const generate = () => [ids.generateSpanId(), ids.generateTraceId(), ids.generateSpanId()]
    const [first, trace, second] = ids.as(other, generate)
    expect([first, trace]).toEqual([other.spanId, other.traceId])
    ids.as(other, () => {})
    expect([second, ...generate()]).not.toContainEqual(expect.stringMatching(/^a+$|^b+$/))
  })

  it('are the chosen one for roots of one trace', () => {
    const ids = new TraceIds()
    const chosen = 'a'.repeat(32)
    expect(ids.within(chosen, () => [ids.generateTraceId(), ids.generateTraceId()])).toEqual([chosen, chosen])
    expect(ids.generateTraceId()).not.toBe(chosen)
  })
})
