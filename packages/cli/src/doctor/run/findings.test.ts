import type { SvcHealth } from '@svc/core/health'
import { expect, it } from 'vitest'
import { findingsOf } from './findings.ts'
import type { ProcessReport } from './process-report.ts'
import type { Ran } from './run-app.ts'

const HEALTH: SvcHealth = {
  state: 'ok',
  ended: 1,
  sent: 1,
  pending: 0,
  pendingBytes: 0,
  dropped: {},
  lastSuccess: 1,
  lastFailure: undefined,
}

/** The report of a process that made one call of a model, whose span arrived. */
const report = ({
  health,
  ...more
}: Partial<Omit<ProcessReport, 'health'>> & { health?: Partial<SvcHealth> } = {}) => ({
  pid: 7,
  command: ['app.js'],
  isTraced: true,
  isFinal: true,
  libraries: ['openai 7.55.0'],
  started: { 'svc-sdk': 1 },
  leftOut: [],
  health: { ...HEALTH, ...health },
  ...more,
})
const leftOut = (reason: ProcessReport['leftOut'][number]['reason']) => ({
  leftOut: [{ scope: 'checkout', reason, count: 2 }],
})
const KEPT = { kept: { errors: 1, rest: 2 }, leftOut: { rest: 3 }, spansLeftOut: 4, spansHeld: 0 }
const NOTHING = { started: {}, health: { sent: 0 } }

const found = (processes: readonly ProcessReport[], ended: Partial<Ran> = {}) =>
  findingsOf({ code: 0, signal: null, processes, ...ended })

it.each<[what: string, processes: readonly ProcessReport[], ids: readonly string[], ended?: Partial<Ran>]>([
  ['a span that arrived', [report()], ['ok run-libraries', 'ok run-spans', 'ok run-delivered']],
  ['a command that cannot be started', [], ['error run-failed'], { error: new Error('ENOENT') }],
  ['a command that is not Node', [], ['error run-no-node']],
  ['svc that does not start', [report({ isTraced: false })], ['error run-not-traced']],
  ['no library', [report({ libraries: [], ...NOTHING })], ['warning run-libraries', 'error run-spans']],
  ['a library that is not called', [report(NOTHING)], ['ok run-libraries', 'error run-spans']],
  [
    'a killed process',
    [report({ isFinal: false })],
    ['ok run-libraries', 'ok run-spans', 'warning run-killed', 'info run-ended'],
    { code: null, signal: 'SIGKILL' },
  ],
  [
    'a scope that is not known',
    [report({ ...leftOut('default filter'), health: { sent: 0 } })],
    ['ok run-libraries', 'ok run-spans', 'warning run-left-out', 'error run-delivered'],
  ],
  [
    'traces of which SVC_KEEP keeps none',
    [report({ ...leftOut('not kept'), health: { sent: 0, traces: KEPT } })],
    ['ok run-libraries', 'ok run-spans', 'info run-left-out', 'info run-kept'],
  ],
  [
    'some spans that are not sampled',
    [report(leftOut('unsampled'))],
    ['ok run-libraries', 'ok run-spans', 'warning run-left-out', 'ok run-delivered'],
  ],
  [
    'nothing that is sampled',
    [report({ ...leftOut('unsampled'), ...NOTHING })],
    ['ok run-libraries', 'error run-left-out'],
  ],
  [
    'lost spans',
    [report({ health: { sent: 0, dropped: { rejected: 2 } } })],
    ['ok run-libraries', 'ok run-spans', 'error run-lost'],
  ],
  [
    'spans in the spool',
    [report({ health: { sent: 0, pending: 1 } })],
    ['ok run-libraries', 'ok run-spans', 'warning run-pending'],
  ],
  [
    'a process that only starts another',
    [report(), report({ libraries: [], ...NOTHING })],
    ['ok run-libraries', 'ok run-spans', 'ok run-delivered'],
  ],
])('%s is found', (_, processes, ids, ended) => {
  expect(found(processes, ended).map(({ severity, id }) => `${severity} ${id}`)).toEqual(ids)
})

it('findings of several busy processes name the process', () => {
  expect(found([report(), report({ pid: 8 })]).map(({ seen }) => seen)).toEqual(
    [7, 8].flatMap((pid) => [
      `instrumented libraries (process ${pid}): openai 7.55.0`,
      `1 span started (process ${pid}): 1 of svc-sdk`,
      `1 span arrived at the service (process ${pid})`,
    ]),
  )
})

it('a loss has its reason, and why the last request failed', () => {
  const lastFailure = { at: 1, reason: 'It refuses the keys.' }
  const [lost] = found([report({ health: { sent: 0, dropped: { shutdown: 1 }, lastFailure } })]).slice(-1)
  expect(lost).toMatchObject({
    seen: '1 span lost',
    means: 'They were still pending when the process ended (SVC_SHUTDOWN_TIMEOUT). It refuses the keys.',
  })
})

it('what SVC_KEEP has decided is told with the reasons', () => {
  const [kept] = found([report({ health: { traces: KEPT } })]).filter(({ id }) => id === 'run-kept')
  expect(kept?.seen).toBe('traces kept: 1 (errors), 2 (rest); left out: 3 (rest)')
})

it.each([
  ['default filter', '2 spans of scope checkout: left out', 'SVC_OTEL_ALLOWED_SCOPES=checkout'],
  ['muted', 'spans of scope checkout: left out', 'SVC_OTEL_ALLOWED_SCOPES=checkout'],
  ['unsampled', '2 spans of scope checkout: left out', 'OTEL_TRACES_SAMPLER=always_on'],
] as const)('spans that are left out (%s) come with what keeps them', (reason, seen, remedy) => {
  const finding = found([report(leftOut(reason))]).find(({ id }) => id === 'run-left-out')
  expect(finding).toMatchObject({ seen, remedy: expect.stringContaining(remedy) })
})
