import { type Context, context, createContextKey } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import type { MissingEnd } from '@svc/core/open-calls'
import { overrideMethod } from '@svc/core/override-method'
import type { ResponseContent } from '../gen-ai/content.ts'
import { asRecord, isMethod, isObject } from '../gen-ai/read.ts'
import { callBefore } from '../patch/call-before.ts'
import type { Wrappers } from '../patch/patch-methods.ts'
import { tapPromise } from '../patch/tap-promise.ts'
import { CallSpan, type CallStart } from '../record/call.ts'
import type { CallOutcome } from '../record/outcome.ts'

const HELPER = createContextKey('svc.llm.helper')

/** A run of a helper, which looks at an answer before it hands it over, and may not take it. */
class Helper {
  call: CheckedCall | undefined

  within<T>(work: () => T): T {
    return context.with(context.active().setValue(HELPER, this), work)
  }

  end(): void {
    this.call?.checked()
  }

  fail(error: unknown, byCaller?: boolean): void {
    this.call?.fail(error, byCaller)
  }
}

/** The call of a helper, which ends with the helper. */
class CheckedCall extends CallSpan {
  #isChecked = false
  #end: (() => void) | undefined
  #response: ResponseContent | undefined

  override endWithResponse(response: ResponseContent): void {
    this.#response = response
    this.#whenChecked(() => super.endWithResponse(response))
  }

  override end(outcome?: CallOutcome): void {
    this.#whenChecked(() => super.end(outcome))
  }

  override fail(error: unknown, byCaller?: boolean, response = this.#response): void {
    this.#isChecked = true
    super.fail(error, byCaller, response)
  }

  override endWithout(missing: MissingEnd): void {
    this.#isChecked = true
    super.endWithout(missing)
  }

  /** Called when the helper has taken the answer. */
  checked(): void {
    this.#isChecked = true
    this.#end?.()
  }

  /** A library aborts the request of a reader that has left: the first end counts. */
  #whenChecked(end: () => void): void {
    if (this.#isChecked) end()
    else this.#end ??= end
  }
}

/** Starts a call. The first one of a helper is its own; others are those of the application's listeners. */
export function startedIn(parent: Context, start: CallStart): CallSpan {
  const helper = start.isFrameworks ? undefined : (parent.getValue(HELPER) as Helper | undefined)
  if (!helper || helper.call) return new CallSpan(start)
  helper.call = new CheckedCall(start)
  return helper.call
}

/** Helpers that check an answer: `parse` returns a promise, `stream` emits events. */
export const helperWrappers = {
  parse: (original) =>
    function (...args) {
      const helper = new Helper()
      const parsed = helper.within(() => original.apply(this, args))
      return tapPromise(parsed, { value: () => helper.end(), error: (e) => helper.fail(e) })
    },
  stream: (original) =>
    function (...args) {
      const helper = new Helper()
      const stream = helper.within(() => original.apply(this, args))
      attempt('follow a helper', () => followEvents(stream, helper))
      return stream
    },
} satisfies Wrappers

/** Wraps `_emit`, because adding an error listener would mark errors as handled. */
export function followEvents(emitter: unknown, loop: Pick<Helper, 'end' | 'fail'>): void {
  const emit = asRecord(emitter)._emit
  if (!isObject(emitter) || !isMethod(emit)) return
  const follow = (_: unknown, [event, error]: readonly unknown[]) => {
    if (event === 'error') loop.fail(error)
    if (event === 'abort') loop.fail(error, true)
    if (event === 'end') loop.end()
  }
  overrideMethod(emitter, '_emit', callBefore(emit, 'follow the events of a helper', follow))
}
