import { describe, expect, it } from 'vitest'
import { ALL_CASES } from './all-cases.ts'
import { type Case, problemsOf } from './case.ts'

/** One case for each kind of fault and of end, for `npm test`. */
export const PROOFS: Readonly<Record<string, readonly string[]>> = {
  'The endpoint misbehaves, the application lives on': [
    'nothing listens for 2 s',
    '503 × 3, Retry-After 1',
    'one span in 1,000 is refused with 400',
    'two connections are reset amid the request',
  ],
  'The process ends, the endpoint is well': [
    'the event loop runs dry',
    'process.exit(3)',
    'an uncaught error',
    'SIGTERM',
    'a worker thread ends',
  ],
  'The process ends, nothing listens': ['process.exit(3)'],
  'The process ends, the endpoint hangs': ['SIGTERM'],
  'With a spool (SVC_OTEL_SPOOL_DIR)': [
    'process.exit() while nothing listens; the next start sends',
    'a record is overwritten: the others are sent',
    'SIGKILL 200 ms after the last span, SVC_OTEL_SPOOL=always',
  ],
}

export const isProof = ({ group, name }: Case) => PROOFS[group]?.includes(name) ?? false

/** Runs the proofs, the cases that wait for minutes (by a fast clock), or the others. Beside stock OpenTelemetry: `pnpm faults`. */
export function testCases(which: 'proofs' | 'slow' | 'others'): void {
  const cases = ALL_CASES.filter((each) => ringOf(each) === which)

  describe.each([...new Set(cases.map(({ group }) => group))])('%s', (group) => {
    it.concurrent.each(cases.filter((each) => each.group === group))(
      '$name',
      async ({ expected, isTimed, run }) => {
        expect(problemsOf(expected, await run(which === 'slow' ? 'fast' : isTimed ? 'svc' : 'patient'))).toEqual([])
      },
      300_000,
    )
  })
}

const ringOf = (each: Case) => (isProof(each) ? 'proofs' : each.isSlow ? 'slow' : 'others')
