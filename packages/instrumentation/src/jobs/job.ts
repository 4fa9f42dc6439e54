import type { Link, SpanContext } from '@opentelemetry/api'
import { cancelEndWhenCollected } from '@svc/core/open-calls'
import type { ResponseContent } from '../gen-ai/content.ts'
import type { Fields } from '../gen-ai/read.ts'
import type { CallSpan, CallStart } from '../record/call.ts'

/** What a vendor does after its answer, until somebody who asks again is told that it is over. */
export interface Job {
  readonly id: string
  readonly isOver: boolean
  /** Whether it is over because somebody has cancelled it. Default: what it says is its answer */
  readonly isCancelled?: boolean
  /** Ids by which its results are read. */
  readonly results?: readonly string[] | undefined
}

/** Reads a job from what its vendor says of it: when it begins, and whenever it is asked for. */
export interface JobReader {
  /** Name of its span. Without one it is a call of a model, of which only who made it tells. */
  readonly title?: string | undefined
  /** Returns undefined for what is no job. */
  readJob(state: Fields): Job | undefined
  readResponse(state: Fields): ResponseContent
}

/** Starts the call of a job that began elsewhere, or of somebody who reads its results. */
export type StartJob = (start: Pick<CallStart, 'name' | 'links'>) => CallSpan

/** A job that is open as long as `call` is set. */
interface KnownJob {
  readonly id: string
  readonly span: SpanContext | undefined
  call?: CallSpan | undefined
  isOver: boolean
  state: Fields
  timer?: ReturnType<typeof setTimeout>
}

/** Most ids that are remembered; a job whose id is forgotten ends. */
const LIMIT = 1_000
/** How long a job stays open that nobody asks for: another process may wait for it. */
const UNASKED_MS = 600_000

/** By their ids, and by those of their results. */
const known = new Map<string, KnownJob>()

/** The status of a job that is over, in the words of all vendors. */
export const isOverStatus = (status: unknown): boolean =>
  /^(job_state_)?(completed|incomplete|(partially_)?succeeded|success|ended|failed|cancell?ed|expired|timeout_exceeded)$/i.test(
    String(status),
  )

/**
 * Keeps a call open for the job that it began, until {@link updateJob} is told that the job is over, or the process
 * ends.
 *
 * @returns false if the answer is all there is
 */
export function beginJob(reader: JobReader, state: Fields, call: CallSpan): boolean {
  const job = reader.readJob(state)
  // What begins again what is open (a retry with the same key) is answered at once.
  if (!job || job.isOver || known.get(job.id)?.call) return false
  const entry: KnownJob = { id: job.id, span: call.spanContext, call, isOver: false, state }
  cancelEndWhenCollected(call)
  call.setAccumulator({
    add: () => false,
    isComplete: false,
    get response() {
      return reader.readResponse(entry.state)
    },
  })
  call.onEnd = () => {
    clearTimeout(entry.timer)
    entry.call = undefined
    entry.state = {}
  }
  remember(job.id, entry)
  waitFor(entry)
  return true
}

/** Reads what the vendor says of a job that somebody asks for. A job that is over ends its call, once. */
export function updateJob(reader: JobReader, state: Fields, start?: StartJob): void {
  const job = reader.readJob(state)
  if (!job) return
  const entry = known.get(job.id)
  if (!job.isOver) {
    if (!entry?.call) return
    entry.state = state
    entry.call.touch()
    waitFor(entry)
    return
  }
  if (entry?.isOver) return
  const { title } = reader
  const call = entry?.call ?? (title === undefined ? undefined : start?.({ name: title, links: linksTo(entry) }))
  if (!call) return
  const over = { id: job.id, span: entry?.span ?? call.spanContext, isOver: true, state: {} }
  if (entry && job.isCancelled) {
    entry.state = state
    call.end('cancelled')
  } else call.endWithResponse(reader.readResponse(state))
  for (const id of [job.id, ...(job.results ?? [])]) remember(id, over)
}

/** The span of a job that began in this process. */
export const spanOfJob = (id: string): SpanContext | undefined => known.get(id)?.span

/** Records that the results of a job are read, if it is known which job wrote what has this id. */
export function readResults({ title }: JobReader, results: unknown, start: StartJob): void {
  const entry = typeof results === 'string' ? known.get(results) : undefined
  if (entry)
    start({ name: `${title} results`, links: linksTo(entry) }).endWithResponse({ metadata: { batch_id: entry.id } })
}

function linksTo(entry: KnownJob | undefined): Link[] {
  return entry?.span ? [{ context: entry.span }] : []
}

function remember(id: string, entry: KnownJob): void {
  known.delete(id)
  known.set(id, entry)
  if (known.size <= LIMIT) return
  const [oldest] = known
  if (!oldest) return
  known.delete(oldest[0])
  oldest[1].call?.end('abandoned')
}

function waitFor(entry: KnownJob): void {
  clearTimeout(entry.timer)
  entry.timer = setTimeout(() => entry.call?.end('abandoned'), UNASKED_MS)
  entry.timer.unref?.()
}
