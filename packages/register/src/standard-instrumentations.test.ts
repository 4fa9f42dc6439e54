import { expect, it } from 'vitest'
import { catchLog } from '../../otel/test/support/console.ts'
import { loadStandard } from './standard-instrumentations.ts'

const log = catchLog()

it('a catalogue that is not installed is named, with the command that installs it', () => {
  expect(loadStandard(['http', 'pg'], () => undefined)).toEqual([])
  expect(log.lines()).toEqual([
    "svc: [WARN] OpenTelemetry's instrumentations (http, pg) are not installed and are left out: " +
      'npm i @opentelemetry/auto-instrumentations-node',
  ])
})

it('nothing is said where nothing is asked for', () => {
  expect(loadStandard([], () => undefined)).toEqual([])
  expect(log.lines()).toEqual([])
})
