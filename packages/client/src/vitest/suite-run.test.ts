import { expect, it } from 'vitest'
import { RegressionError } from '../experiment/regression-error.ts'
import { withoutResult } from './suite-run.ts'

it('a RegressionError in a reporter shows the message, and not every item of the result', () => {
  const result = { itemResults: [{ output: 'long' }] } as never
  const error = withoutResult(new RegressionError({ result, message: 'worse' }))
  expect(error.result).toBe(result)
  expect(JSON.parse(JSON.stringify(error))).toEqual({ name: 'RegressionError', message: 'worse', stack: error.stack })
})
