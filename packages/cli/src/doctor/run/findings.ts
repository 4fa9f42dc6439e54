import type { DropReason, SvcHealth } from '@svc/core/health'
import type { LeftOutReason } from '@svc/core/span-events'
import { amount } from '../../amount.ts'
import { SVC } from '../../own-command.ts'
import type { Finding } from '../finding.ts'
import type { ProcessReport } from './process-report.ts'
import type { Ran } from './run-app.ts'

/** Returns findings about what happened in the processes of the app. */
export function findingsOf(ran: Ran): Finding[] {
  if (ran.error) {
    const seen = `the command cannot be started: ${ran.error.message}`
    return [{ id: 'run-failed', severity: 'error', seen, remedy: `${SVC} doctor -- node app.js` }]
  }
  const traced = ran.processes.filter(({ isTraced }) => isTraced)
  if (traced.length === 0) return [notTraced(ran), ...ending(ran)]
  // Processes that only start others are not reported.
  const busy = traced.filter(({ libraries, started }) => libraries.length > 0 || spansIn(started) > 0)
  const reports = busy.length > 0 ? busy : traced.slice(0, 1)
  const where = ({ pid }: ProcessReport) => (reports.length > 1 ? ` (process ${pid})` : '')
  return [...reports.flatMap((report) => ofProcess(report, where(report))), ...ending(ran)]
}

function notTraced({ processes }: Ran): Finding {
  if (processes.length === 0) {
    return {
      id: 'run-no-node',
      severity: 'error',
      seen: 'the command started no Node process that could load the preload',
      means: 'It is not a Node program, or it ended before Node was ready.',
      remedy: `${SVC} doctor -- node app.js`,
    }
  }
  const [{ command } = { command: [] }] = processes
  return {
    id: 'run-not-traced',
    severity: 'error',
    seen: `svc did not start in ${command.join(' ') || 'the process'}`,
    means: 'It has no keys, is switched off, or the program was detected as a tool.',
    remedy: `See the message of svc above, or run ${SVC} doctor without a command. SVC_FORCE=true also traces tools.`,
  }
}

function ofProcess({ libraries, started, leftOut, health, isFinal }: ProcessReport, where: string): Finding[] {
  const spans = spansIn(started)
  const found: Finding[] = [librariesSeen(libraries, where)]
  const isUnsampled = spans === 0 && leftOut.some(({ reason }) => reason === 'unsampled')
  if (spans === 0 && !isUnsampled) found.push(noSpans(libraries, where))
  if (spans > 0)
    found.push({
      id: 'run-spans',
      severity: 'ok',
      seen: `${amount(spans, 'span')} started${where}: ${byScope(started)}`,
    })
  for (const { scope, reason, count: times } of leftOut) {
    const finding = leftOutFinding(scope, reason, times, where)
    found.push(isUnsampled && reason === 'unsampled' ? { ...finding, severity: 'error' } : finding)
  }
  if (!isFinal) {
    found.push({
      id: 'run-killed',
      severity: 'warning',
      seen: `the process ended without a report${where}`,
      means: 'It was killed, or crashed: spans that were not delivered are lost.',
      remedy: 'SVC_OTEL_SPOOL_DIR keeps spans on disk, with SVC_OTEL_SPOOL=always at once.',
    })
  } else if (spans > 0) found.push(...kept(health, where), ...delivery(health, where))
  return found
}

/** What `SVC_KEEP` has decided. */
function kept({ traces }: SvcHealth, where: string): Finding[] {
  if (!traces) return []
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([why, times]) => `${times} (${why})`)
      .join(', ') || 'none'
  const seen = `traces kept${where}: ${list(traces.kept)}; left out: ${list(traces.leftOut)}`
  return [{ id: 'run-kept', severity: 'info', seen, means: 'SVC_KEEP decides which traces are sent.' }]
}

function librariesSeen(libraries: readonly string[], where: string): Finding {
  if (libraries.length > 0) {
    return { id: 'run-libraries', severity: 'ok', seen: `instrumented libraries${where}: ${libraries.join(', ')}` }
  }
  return {
    id: 'run-libraries',
    severity: 'warning',
    seen: `no LLM library was instrumented${where}`,
    means: 'The app loads none, loads it before the preload, or contains it in a bundle.',
    remedy: 'Exclude the library from the bundle, or pass it to instrument() of @svc/instrumentation.',
  }
}

function noSpans(libraries: readonly string[], where: string): Finding {
  return {
    id: 'run-spans',
    severity: 'error',
    seen: `no span started${where}`,
    means: libraries.length > 0 ? 'The libraries were loaded, but not called.' : 'No instrumented call was made.',
    remedy: 'Make the app call a model: send it a request before it ends.',
  }
}

const LEFT_OUT: Readonly<Record<LeftOutReason, (scope: string) => Omit<Finding, 'id' | 'seen'>>> = {
  'default filter': (scope) => ({
    severity: 'warning',
    means: 'The scope is not known for LLM work.',
    remedy: `Set SVC_OTEL_ALLOWED_SCOPES=${scope} to keep them.`,
  }),
  'blocked scope': () => ({ severity: 'info', means: 'SVC_OTEL_BLOCKED_SCOPES names the scope.' }),
  shouldExportSpan: () => ({ severity: 'info', means: 'shouldExportSpan returned false.' }),
  unsampled: () => ({
    severity: 'warning',
    means: 'The sampler, or the traceparent of a trusted caller, does not record it.',
    remedy: 'Set OTEL_TRACES_SAMPLER=always_on to sample all.',
  }),
  'not kept': () => ({ severity: 'info', means: 'No rule of SVC_KEEP keeps their traces.' }),
  duplicate: () => ({ severity: 'info', means: 'svc records the same calls.' }),
  muted: (scope) => ({
    severity: 'info',
    means: 'The scope is infrastructure, whose spans are not recorded.',
    remedy: `Set SVC_OTEL_ALLOWED_SCOPES=${scope} to record them.`,
  }),
}

function leftOutFinding(scope: string | undefined, reason: LeftOutReason, times: number, where: string): Finding {
  const of = scope === undefined ? '' : ` of scope ${scope}`
  const seen = reason === 'muted' ? `spans${of}: left out${where}` : `${amount(times, 'span')}${of}: left out${where}`
  return { id: 'run-left-out', seen, ...LEFT_OUT[reason](scope ?? '') }
}

const LOST: Readonly<Record<DropReason, string>> = {
  queue_full: 'The export queue was full (SVC_OTEL_MAX_QUEUE_BYTES).',
  max_retry_age: 'They were retried for the longest allowed time (SVC_OTEL_MAX_RETRY_AGE).',
  rejected: 'The service rejected them.',
  too_large: 'They are too large for the service.',
  not_encodable: 'They cannot be encoded.',
  not_prepared: 'A mask failed or did not finish.',
  export_failed: 'The exporter failed.',
  spool: 'The spool could not store them.',
  shutdown: 'They were still pending when the process ended (SVC_SHUTDOWN_TIMEOUT).',
}

function delivery({ sent, pending, dropped, lastFailure, state, traces }: SvcHealth, where: string): Finding[] {
  const lost = Object.entries(dropped) as [DropReason, number][]
  const why = lastFailure ? ` ${lastFailure.reason}` : ''
  const found: Finding[] = lost.map(([reason, times]) => ({
    id: 'run-lost',
    severity: 'error',
    seen: `${amount(times, 'span')} lost${where}`,
    means: LOST[reason] + why,
    remedy: `Run ${SVC} doctor without a command to check the service.`,
  }))
  if (pending > 0) {
    const seen = `${amount(pending, 'span')} not delivered${where}`
    const means = `They are in the spool and are sent at the next start.${why}`
    found.push({ id: 'run-pending', severity: 'warning', seen, means })
  }
  if (sent > 0)
    found.push({ id: 'run-delivered', severity: 'ok', seen: `${amount(sent, 'span')} arrived at the service${where}` })
  else if (found.length === 0 && !traces?.spansLeftOut) {
    const means =
      state === 'off' ? 'Nothing is sent to the service with this configuration.' : 'All of them were dropped.'
    found.push({ id: 'run-delivered', severity: 'error', seen: `no span was sent${where}`, means })
  }
  return found
}

function ending({ code, signal }: Ran): Finding[] {
  if (code === 0) return []
  return [{ id: 'run-ended', severity: 'info', seen: `the app ended with ${signal ?? `code ${code}`}` }]
}

function byScope(started: Readonly<Record<string, number>>): string {
  const scopes = Object.entries(started).sort(([, one], [, other]) => other - one)
  return scopes.map(([scope, spans]) => `${spans} of ${scope}`).join(', ')
}

function spansIn(started: ProcessReport['started']): number {
  return Object.values(started).reduce((one, other) => one + other, 0)
}
