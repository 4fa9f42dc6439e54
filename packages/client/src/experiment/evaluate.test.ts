import { configureGlobalLogger, LogLevel, resetGlobalLogger } from '@svc/core/log'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { evaluate } from './evaluate.ts'

const none = { seconds: undefined, signal: undefined }
const good = () => ({ name: 'good', value: 1 })

let lines: string[] = []
beforeEach(() => {
  lines = []
  for (const method of ['warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((line: string) => void lines.push(line))
  }
  configureGlobalLogger({ level: LogLevel.WARN, prefix: 'svc:', enableTimestamp: false })
})
afterEach(() => {
  vi.restoreAllMocks()
  resetGlobalLogger()
})

describe('evaluators', () => {
  it('return one evaluation, several or none, synchronously or not', async () => {
    const several = async () => [
      { name: 'a', value: 1 },
      { name: 'b', value: 'yes' },
    ]
    const judges = [good, several, () => undefined, async () => null, () => []]
    expect((await evaluate(judges, {}, none)).map(({ name }) => name)).toEqual(['good', 'a', 'b'])
    expect(lines).toEqual([])
  })

  it('that throw are reported once, and the others are still used', async () => {
    function broken(): never {
      throw new Error('no model')
    }
    const rejecting = async () => broken()
    expect(await evaluate([broken, good, rejecting], {}, none)).toEqual([good()])
    await evaluate([broken], {}, none)
    expect(lines).toEqual([
      'svc: [ERROR] evaluator broken failed, so its score is missing: no model',
      'svc: [ERROR] evaluator rejecting failed, so its score is missing: no model',
    ])
  })

  it('without a name get their number as name', async () => {
    await evaluate([good, () => Promise.reject(new Error('no'))], {}, none)
    expect(lines).toEqual(['svc: [ERROR] evaluator number 2 failed, so its score is missing: no'])
  })

  it.each([
    [0.5],
    ['good'],
    [{ value: 1 }],
    [{ name: '', value: 1 }],
    [{ name: 'a' }],
    [{ name: 'a', value: true }],
    [{ name: 'a', value: Number.NaN }],
  ])('that return %j cause a warning with the expected form', async (result) => {
    expect(await evaluate([() => result, good], {}, none)).toEqual([good()])
    expect(lines).toEqual([
      'svc: [WARN] evaluator number 1 returned an invalid score: expected { name, value } with a finite number or a string, or a list of these.',
    ])
  })

  it('that never settle are given up at their time limit', async () => {
    const never = () => new Promise<never>(() => {})
    expect(await evaluate([never, good], {}, { ...none, seconds: 0.01 })).toEqual([good()])
    expect(lines[0]).toContain('the evaluator took longer than 0.01 s')
  })

  it('stop when the run is aborted', async () => {
    const controller = new AbortController()
    const never = () => new Promise<never>(() => {})
    const judged = evaluate([never], {}, { ...none, signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(judged).rejects.toThrow('enough')
    expect(lines).toEqual([])
  })
})
