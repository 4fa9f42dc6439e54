import { type Answer, json } from './answer.ts'
import { matchPath } from './router.ts'

/** The answer that {@link LocalService.respond} gives instead of the service. */
export interface Reply {
  /** Left out, the service answers as always, after `until`. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text as it is, anything else as JSON; called JSON either way, unless `headers` has a `content-type`. */
  readonly body?: unknown
  /** Nothing is answered before this settles. One that never does hangs the request until the service closes. */
  readonly until?: Promise<unknown>
  /** The connection is closed instead of an answer. */
  readonly drop?: boolean
  /** The number of requests that get it. Default 1; `Infinity` for all. */
  readonly times?: number
}

/** Counts and withdraws a {@link Reply}. */
export interface PlannedReply {
  /** Returns the number of requests that got it so far. */
  count(): number
  /** Resolves when the first request has met it, before that one is answered. */
  readonly met: Promise<void>
  /** From now on the service answers again. */
  stop(): void
}

interface Plan {
  readonly method: string | undefined
  readonly path: string
  readonly reply: Reply
  readonly meet: () => void
  count: number
}

/** Answers that tests have planned, in the order in which they were planned. */
export class Replies {
  readonly #plans: Plan[] = []
  #close = () => {}
  readonly #closed = new Promise<void>((resolve) => {
    this.#close = resolve
  })

  /** @param to `POST /api/public/scores`; without a method, for every one; `{name}` stands for one segment. */
  plan(to: string, reply: Reply): PlannedReply {
    const [path = '', method] = to.split(' ').reverse()
    if (!path.startsWith('/')) throw new Error(`respond("${to}"): expected a path, with or without a method before it`)
    let meet = () => {}
    const met = new Promise<void>((resolve) => {
      meet = resolve
    })
    const plan: Plan = { method, path, reply, meet, count: 0 }
    this.#plans.push(plan)
    return { count: () => plan.count, met, stop: () => this.#remove(plan) }
  }

  /**
   * Takes what is planned for a request: an answer, `drop`, or `pass` to the service. Undefined when nothing is
   * planned.
   */
  async take(method: string, path: string): Promise<Answer | 'drop' | 'pass' | undefined> {
    const plan = this.#plans.find((plan) => fits(plan, method, path))
    if (!plan) return undefined
    const { times = 1, until, drop, status } = plan.reply
    plan.count += 1
    plan.meet()
    if (plan.count >= times) this.#remove(plan)
    if (until) {
      const open = await Promise.race([until.then(always, always), this.#closed])
      if (!open) return 'drop'
    }
    if (drop) return 'drop'
    return status === undefined ? 'pass' : answerOf(status, plan.reply)
  }

  /** Requests that are held are dropped. */
  close(): void {
    this.#close()
  }

  #remove(plan: Plan): void {
    const at = this.#plans.indexOf(plan)
    if (at >= 0) this.#plans.splice(at, 1)
  }
}

const always = () => true

// A preflight asks on behalf of another request, and is not meant by a path alone.
function fits({ method, path }: Plan, requestMethod: string, requestPath: string): boolean {
  return (
    (method === undefined ? requestMethod !== 'OPTIONS' : method === requestMethod) && !!matchPath(path, requestPath)
  )
}

function answerOf(status: number, { headers = {}, body }: Reply): Answer {
  if (body === undefined) return { status, headers }
  const answer = json(status, body, headers)
  return typeof body === 'string' ? { ...answer, body } : answer
}
