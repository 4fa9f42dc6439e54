import { attempt } from '@svc/core/attempt'
import { hostEnvironment } from '@svc/core/environment'
import { foreignText } from '@svc/core/foreign-text'
import { keepAlive } from '@svc/core/keep-alive'
import { messageOf, warnOnce } from '@svc/core/log'
import { endOpenCalls } from '@svc/core/open-calls'
import { getRuntime } from '@svc/core/registry'
import { readSettings } from '@svc/core/setting'
import { lambdaFunction, lambdaHandler, lambdaRoot, lambdaStart, lambdaTrace } from '@svc/core/settings'
import { after, within } from '@svc/core/timers'
import { replaceExport } from '@svc/instrumentation/hook'
import type { Plan } from '../plan.ts'
import { hasPreload } from '../preloads.ts'
import type { RequestFollower } from '../request-channels.ts'
import { placeOf } from './handler-place.ts'
import { attributesOf, headersOf, type LambdaContext, linksTo } from './invocation.ts'
import { type FollowedInvocation, type Handler, wrapHandler } from './wrap-handler.ts'

const FACTS = { lambdaFunction, lambdaHandler, lambdaRoot, lambdaStart }
const TIMED_OUT = 'the invocation was about to time out'

/**
 * On AWS Lambda, follows each invocation of the handler that `_HANDLER` names: with a root, and with the delivery of what
 * was recorded before the platform has its outcome and freezes the process.
 */
export function followFunction({ env, preload }: Plan, requests: () => RequestFollower | undefined): void {
  const {
    lambdaHandler: handler,
    lambdaRoot: root,
    lambdaFunction: name,
    lambdaStart: start,
  } = readSettings(FACTS, {}, env, () => {})
  const folders = [root, process.cwd()].filter((folder) => folder !== undefined)
  const place = handler === undefined ? undefined : placeOf(handler, folders)
  if (!place) return
  if (!hasPreload()) {
    // The file of the handler is what imports svc.
    warnOnce(
      'svc was imported on AWS Lambda, so it does not see when an invocation ends, and what is recorded leaves with a later one. Set NODE_OPTIONS=--import @svc/register, or flush in the handler.',
    )
    return
  }
  const limitMs = preload.invocationTimeout * 1_000
  let isCold = start !== 'provisioned-concurrency'

  const follow = (event: unknown, context: LambdaContext): FollowedInvocation | undefined => {
    const now = readSettings({ lambdaTrace }, {}, hostEnvironment, () => {})
    const seen = {
      name: typeof context.functionName === 'string' ? context.functionName : (name ?? String(handler)),
      attributes: attributesOf(event, context, isCold),
      links: linksTo(now.lambdaTrace),
    }
    isCold = false
    let error: string | undefined
    const followed = requests()?.invocation(headersOf(event), () => ({ ...seen, error }))
    if (!followed) return undefined
    const deliver = (ms: number) => keepAlive(within(deliverWithin(ms), ms), ms)
    /** Never rejects. */
    const settle = async (why?: string) => {
      clearTimeout(timer)
      error ??= why
      // Frameworks end their spans a moment after what answers the invocation.
      await new Promise<void>((resolve) => void setImmediate(resolve))
      attempt('end an invocation', followed.done)
      await deliver(Math.min(limitMs, half(remainingMs(context))))
    }
    // Where the process is killed, nothing tells of it.
    const leftMs = remainingMs(context)
    const timer = Number.isFinite(leftMs)
      ? after(leftMs - Math.min(limitMs, half(leftMs)), () => {
          attempt('end open calls', endOpenCalls)
          void settle(TIMED_OUT)
        })
      : undefined
    return {
      run: followed.run,
      settle: (thrown) => settle(thrown === undefined ? undefined : foreignText(messageOf(thrown), 1_000)),
    }
  }

  replaceExport({
    ...place,
    replace(value) {
      // Now, because the time before the first invocation costs less.
      attempt('prepare for invocations', requests)
      return replaceIn(value, place.fields, (handler) => wrapHandler(handler, follow))
    },
  })
}

async function deliverWithin(ms: number): Promise<void> {
  const runtime = getRuntime()
  await runtime?.forceFlush(ms)
  if ((attempt('count what waits', () => runtime?.health?.()?.pending) ?? 0) > 0) {
    warnOnce(
      'an invocation ended before all of its spans were delivered (SVC_INVOCATION_TIMEOUT). They wait for the next one.',
    )
  }
}

/** Returns how many milliseconds an invocation has left; Infinity if that is not known. */
function remainingMs(context: LambdaContext): number {
  const { getRemainingTimeInMillis: read } = context
  const left =
    typeof read === 'function' ? attempt('ask for the time', () => Reflect.apply(read, context, [])) : undefined
  return typeof left === 'number' && left >= 0 ? left : Number.POSITIVE_INFINITY
}

const half = (ms: number) => ms / 2

/** Returns a value with the function replaced that these fields lead to; the same value if there is none. */
function replaceIn(value: unknown, fields: readonly string[], wrap: (handler: Handler) => Handler): unknown {
  const [name, ...more] = fields
  if (name === undefined) return typeof value === 'function' ? wrap(value as Handler) : value
  if (typeof value !== 'object' || value === null) return value
  const replaced = replaceIn(Reflect.get(value, name), more, wrap)
  return Object.create(value, { [name]: { value: replaced, enumerable: true } })
}
