import { configureGlobalLogger, LogLevel, resetGlobalLogger } from '@svc/core/log'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkedParams } from './checked-params.ts'

const good = { name: 'capitals', data: [{ input: 'Norway' }], task: () => 'Oslo' }
const checked = (more: object) => checkedParams({ ...good, ...more }, 0)

let lines: string[] = []
beforeEach(() => {
  lines = []
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void lines.push(line))
  configureGlobalLogger({ level: LogLevel.WARN, prefix: 'svc:', enableTimestamp: false })
})
afterEach(() => {
  vi.restoreAllMocks()
  resetGlobalLogger()
})

describe('the parameters of an experiment', () => {
  it('are mostly optional', () => {
    expect(checked({})).toMatchObject({
      runName: 'capitals - 1970-01-01T00:00:00.000Z',
      maxConcurrency: 50,
      evaluators: [],
      runEvaluators: [],
      datasetVersion: undefined,
      limit: { seconds: undefined, signal: undefined },
    })
  })

  it('take a version as a Date or as a string', () => {
    expect(checked({ datasetVersion: '2026-01-02T03:04:05Z' }).datasetVersion).toBe('2026-01-02T03:04:05.000Z')
    expect(checked({ datasetVersion: new Date(0) }).datasetVersion).toBe('1970-01-01T00:00:00.000Z')
  })

  it.each([
    [{ name: '' }, 'svc: an experiment needs name: expected a text.'],
    [{ name: undefined }, 'svc: an experiment needs name: expected a text.'],
    [{ data: undefined }, 'svc: an experiment needs data: expected a list of items, which are objects.'],
    [{ data: 'Norway' }, 'svc: an experiment needs data: expected a list of items, which are objects.'],
    [{ data: [{ input: 1 }, null] }, 'svc: an experiment needs data: expected a list of items, which are objects.'],
    [{ data: new Array(1) }, 'svc: an experiment needs data: expected a list of items, which are objects.'],
    [{ data: ['Norway'] }, 'svc: an experiment needs data: expected a list of items, which are objects.'],
    [{ task: undefined }, 'svc: an experiment needs task: expected a function.'],
    [{ evaluators: [1] }, 'svc: an experiment needs evaluators: expected a list of functions.'],
    [{ runEvaluators: () => [] }, 'svc: an experiment needs runEvaluators: expected a list of functions.'],
    [
      { datasetVersion: 'soon' },
      'svc: an experiment needs datasetVersion that is a time: expected a Date or an ISO string.',
    ],
  ])('are rejected: %j', (more, message) => {
    expect(() => checked(more)).toThrow(new TypeError(message))
  })

  it.each([0, -1, Number.NaN, 'many'])('maxConcurrency %s is ignored with a warning', (maxConcurrency) => {
    expect(checked({ maxConcurrency }).maxConcurrency).toBe(50)
    expect(lines).toHaveLength(1)
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 'soon'])(
    'timeoutInSeconds %s is ignored with a warning',
    (timeoutInSeconds) => {
      expect(checked({ timeoutInSeconds }).limit.seconds).toBe(undefined)
      expect(lines).toHaveLength(1)
    },
  )
})
