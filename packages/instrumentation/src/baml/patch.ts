import { attempt } from '@svc/core/attempt'
import { log } from '@svc/core/log'
import { overrideMethod } from '@svc/core/override-method'
import { asArray, asRecord, asString, type Fields, isMethod, isObject } from '../gen-ai/read.ts'
import { tapPromise } from '../patch/tap-promise.ts'

/** Where the methods of BAML's runtime take collectors, in which it lists the requests of a call. */
const COLLECTORS_AT = { callFunction: 5, callFunctionSync: 5, streamFunction: 6, streamFunctionSync: 6 }

/** Functions of an application whose requests are known. */
const known = new Set<unknown>()
const LIMIT = 1_000

/** Has one line for each host say which requests the engine sends itself: nobody in the process sees them. */
export function patchBaml(exports: unknown): void {
  const { BamlRuntime, Collector } = exports as Fields
  if (!isMethod(BamlRuntime) || !isMethod(Collector)) return
  for (const [name, at] of Object.entries(COLLECTORS_AT)) {
    const { [name]: method } = asRecord(BamlRuntime.prototype)
    if (!isMethod(method)) continue
    overrideMethod(BamlRuntime.prototype as object, name, function (...args) {
      const { 0: called, [at]: collectors } = args
      if (known.has(called) || known.size >= LIMIT || !Array.isArray(collectors)) return method.apply(this, args)
      const ours = attempt('collect requests', () => Reflect.construct(Collector, []))
      if (ours) args[at] = [...collectors, ours]
      const tell = () => void attempt('read requests', tellOf, called, ours)
      const result = method.apply(this, args)
      if (!isObject(result)) return result
      const { done } = result
      if (isMethod(done)) {
        attempt('follow a stream', overrideMethod, result, 'done', function (...args) {
          return tapPromise(done.apply(this, args), { value: tell, error: tell })
        })
        return result
      }
      if (!('then' in result)) tell()
      return tapPromise(result, { value: tell, error: tell })
    })
  }
}

function tellOf(called: unknown, collector: unknown): void {
  for (const logged of asArray(asRecord(collector).logs)) {
    for (const call of asArray(asRecord(logged).calls)) {
      const url = asString(asRecord(asRecord(call).httpRequest).url)
      if (url === undefined || !URL.canParse(url)) continue
      known.add(called)
      const { host, pathname } = new URL(url)
      const line =
        `BAML asks ${host}${pathname} from native code, so its calls are not recorded. ` +
        'Send what b.request builds by fetch.'
      log.once('warn', line, `BAML ${host}`)
    }
  }
}
