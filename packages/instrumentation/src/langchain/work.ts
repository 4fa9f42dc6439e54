import { type Context, context, createContextKey } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { flatContext } from '@svc/core/flat-context'
import { asName, asRecord, isMethod, isObject, type Method } from '../gen-ai/read.ts'
import { overrideMethod } from '../patch/override-method.ts'
import { prototypeOf, replaceMethod } from '../patch/replace-method.ts'
import { runOf } from './run.ts'
import { runAt } from './runs.ts'

const WORKER = createContextKey('svc.langchain.worker')

/** The name of the tool that is being called: LangChain tells that of its class only. */
export function toolNameIn(active: Context): string | undefined {
  return asName(asRecord(active.getValue(WORKER)).name)
}

/**
 * Does the work of a tool or a retriever in the context of its run. The method with the work belongs to the class of
 * the application, so each object gets one in front of it, when it is called for the first time.
 *
 * @param entry the method that LangChain's own base class has
 * @param work the one it calls, with the manager of the run as its second argument
 */
export function followWork(base: unknown, entry: string, work: string): boolean {
  return replaceMethod(prototypeOf(base), entry, (own) => {
    return function (...args) {
      if (!isObject(this)) return own.apply(this, args)
      attempt('follow a tool', () => replaceWork(this, work))
      return context.with(flatContext(context.active()).setValue(WORKER, this), () => own.apply(this, args))
    }
  })
}

const followed = new WeakSet<object>()

function replaceWork(owner: object, name: string): void {
  const own: unknown = Reflect.get(owner, name)
  if (followed.has(owner) || !isMethod(own)) return
  followed.add(owner)
  const within: Method = function (...args) {
    const run = runAt(asRecord(args[1]).runId)
    const call = () => own.apply(this, args)
    return !run || runOf(context.active()) === run ? call() : context.with(run.context, call)
  }
  overrideMethod(owner, name, within)
}
