import { expect, it } from 'vitest'
import { thresholdsOf } from './options.ts'

it('a numeric threshold is the minimum of the mean', () => {
  expect(thresholdsOf({ thresholds: { a: 0.5, b: { min: 0, max: 1 } } })).toEqual({
    a: { mean: 0.5 },
    b: { min: 0, max: 1 },
  })
  expect(thresholdsOf({})).toEqual({})
})

it.each([
  [{ thresholds: { right: '1' } }, 'a threshold of "right" that is a number, or has mean, min or max: got "1".'],
  [{ thresholds: { right: Number.NaN } }, 'a threshold of "right" that is a number, or has mean, min or max'],
  [{ thresholds: { right: {} } }, 'a threshold of "right" that is a number, or has mean, min or max'],
  [{ thresholds: { right: { least: 1 } } }, 'a threshold of "right" that is a number, or has mean, min or max'],
  [{ thresholds: [] }, 'thresholds by the names of scores: got a list of 0.'],
  [{ tolerance: -1 }, 'a tolerance that is a number from 0, or such by the names of scores: got -1.'],
  [{ tolerance: { right: '1' } }, 'a tolerance that is a number from 0, or such by the names of scores: got "1".'],
  [{ baseline: '' }, 'a baseline that is the name of a run, or false: got "".'],
  [{ baseline: true }, 'a baseline that is the name of a run, or false: got true.'],
])('svcExperiment rejects the options %j', (options, message) => {
  expect(() => thresholdsOf(options as never)).toThrow(`svc: svcExperiment needs ${message}`)
})
