import { attempt } from '@svc/core/attempt'
import type { LambdaContext } from './invocation.ts'

export type Handler = (this: unknown, ...args: unknown[]) => unknown

export interface FollowedInvocation {
  /** Runs `work` in its context. */
  run<T>(work: () => T): T
  /** To be called when it has an outcome. Resolves when what it recorded is delivered, or waits. Never rejects. */
  settle(error?: unknown): Promise<void>
}

/** `awslambda.streamifyResponse` marks a handler so. Its arguments are the event, the stream and the context. */
const STREAMING = Symbol.for('aws.lambda.runtime.handler.streaming')

/** The ways to answer that the context has beside the callback, each with whether its first argument is an error. */
const ANSWERS = { done: true, fail: true, succeed: false }

/**
 * Returns a handler whose invocations are followed: the platform has its outcome once what was recorded is delivered. It is
 * the same for whoever looks at it: the platform reads its number of parameters and its marks.
 *
 * @param follow returns undefined where an invocation cannot be followed
 */
export function wrapHandler(
  handler: Handler,
  follow: (event: unknown, context: LambdaContext) => FollowedInvocation | undefined,
): Handler {
  return new Proxy(handler, {
    apply(target, self, args: unknown[]) {
      const isStreaming = Reflect.get(target, STREAMING) !== undefined
      const context = (args[isStreaming ? 2 : 1] ?? {}) as LambdaContext
      const followed = attempt('follow an invocation', follow, args[0], context)
      if (!followed) return Reflect.apply(target, self, args)
      if (!isStreaming) answerLater(args, context as Record<string, unknown>, followed)
      // Without a callback, what is no promise is the end, unless the context is asked to answer.
      const isOver = !isStreaming && target.length < 3
      return settled(() => followed.run(() => Reflect.apply(target, self, args)), followed, isOver)
    },
  })
}

function settled(call: () => unknown, followed: FollowedInvocation, isOver: boolean): unknown {
  let result: unknown
  try {
    result = call()
  } catch (error) {
    return rejected(error, followed)
  }
  if (!isThenable(result)) {
    if (isOver) void followed.settle()
    return result
  }
  return result.then(
    (value) => followed.settle().then(() => value),
    (error: unknown) => rejected(error, followed),
  )
}

async function rejected(error: unknown, followed: FollowedInvocation): Promise<never> {
  await followed.settle(error)
  throw error
}

/** Has each way to answer without a promise wait for the delivery. */
function answerLater(args: unknown[], context: Record<string, unknown>, followed: FollowedInvocation): void {
  const later = (answer: unknown, isErrorFirst: boolean) =>
    typeof answer !== 'function'
      ? answer
      : (...given: unknown[]) => {
          const error = isErrorFirst ? (given[0] ?? undefined) : undefined
          // What it throws is for the handlers of uncaught errors, and no rejection of ours.
          void followed.settle(error).then(() => setImmediate(() => Reflect.apply(answer, context, given)))
        }
  if (args.length > 2) args[2] = later(args[2], true)
  for (const [name, isErrorFirst] of Object.entries(ANSWERS)) {
    attempt('follow an answer', () => {
      if (typeof context[name] === 'function') context[name] = later(context[name], isErrorFirst)
    })
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}
