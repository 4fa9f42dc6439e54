import { expect, it } from 'vitest'
import { RegressionError } from '../experiment/regression-error.ts'
import { withoutResult } from './suite-run.ts'

it('what a reporter makes of the error has the message, and not each item of the result', () => {
  const result = { itemResults: [{ output: 'long' }] } as never
  const error = withoutResult(new RegressionError({ result, message: 'worse' }))
  expect(error.result).toBe(result)
  expect(JSON.parse(JSON.stringify(error))).toEqual({ name: 'RegressionError', message: 'worse', stack: error.stack })
})
