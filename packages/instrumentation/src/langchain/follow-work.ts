import { type Context, context, createContextKey } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { flatContext } from '@svc/core/flat-context'
import { overrideMethod } from '@svc/core/override-method'
import { asName, asRecord, isMethod, isObject, type Method } from '../gen-ai/read.ts'
import { getPrototype, replaceMethod } from '../patch/replace-method.ts'
import { runInContext } from './run.ts'
import { getRun } from './runs.ts'

const WORKER = createContextKey('svc.langchain.worker')

/** Returns the name of the tool being called: LangChain passes only that of its class. */
export function toolNameIn(active: Context): string | undefined {
  return asName(asRecord(active.getValue(WORKER)).name)
}

/**
 * Runs the work of a tool or retriever in the context of its run. The method with the work belongs to the application's
 * class, so it is overridden on each object when first called.
 *
 * @param entry the method of LangChain's base class
 * @param work the method that it calls, with the run manager as its second argument
 */
export function followWork(base: unknown, entry: string, work: string): boolean {
  return replaceMethod(getPrototype(base), entry, (original) => {
    return function (...args) {
      if (!isObject(this)) return original.apply(this, args)
      attempt('follow a tool', () => replaceWork(this, work))
      return context.with(flatContext(context.active()).setValue(WORKER, this), () => original.apply(this, args))
    }
  })
}

const followed = new WeakSet<object>()

function replaceWork(owner: object, name: string): void {
  const original: unknown = Reflect.get(owner, name)
  if (followed.has(owner) || !isMethod(original)) return
  followed.add(owner)
  const bound: Method = function (...args) {
    const run = getRun(asRecord(args[1]).runId)
    const call = () => original.apply(this, args)
    return !run || runInContext(context.active()) === run ? call() : context.with(run.context, call)
  }
  overrideMethod(owner, name, bound)
}
