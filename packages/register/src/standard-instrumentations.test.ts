import { expect, it } from 'vitest'
import { catchLog } from '../../otel/test/support/console.ts'
import { loadStandard } from './standard-instrumentations.ts'

const log = catchLog()

it('a missing instrumentation catalogue is reported with the command that installs it', () => {
  expect(loadStandard(['http', 'pg'], () => undefined)).toEqual([])
  expect(log.lines()).toEqual([
    "svc: [WARN] OpenTelemetry's instrumentations (http, pg) are not installed and are left out: " +
      'npm i @opentelemetry/auto-instrumentations-node',
  ])
})

it('no missing catalogue is reported if none is needed', () => {
  expect(loadStandard([], () => undefined)).toEqual([])
  expect(log.lines()).toEqual([])
})
