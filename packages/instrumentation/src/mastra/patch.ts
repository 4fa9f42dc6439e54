import { attempt } from '@svc/core/attempt'
import { asRecord, isMethod, type Method } from '../gen-ai/read.ts'
import { patchMethods, type Wrappers } from '../patch/patch-methods.ts'
import { tapPromise } from '../patch/tap-promise.ts'
import { MastraSpan } from './span.ts'

/** The methods that start or resume a run, with the place of their options among the arguments. */
const RUNS = {
  Agent: { generate: 1, stream: 1, network: 1, resumeGenerate: 1, resumeStream: 1, resumeNetwork: 1 },
  Run: { start: 0, startAsync: 0, stream: 0, restart: 0, resume: 0, resumeAsync: 0, resumeStream: 0 },
}

/**
 * Has runs of agents and workflows create their spans by us, through the option that Mastra has for a run within another
 * one. Whoever configures an observability of Mastra's keeps that.
 */
export function patchMastra(exports: unknown): boolean {
  const patched = Object.entries(RUNS).map(([name, places]) => {
    const wrappers: Wrappers = Object.fromEntries(
      Object.entries(places).map(([method, place]) => [method, (original) => traced(original, place)]),
    )
    return patchMethods(asRecord(exports)[name], Object.keys(wrappers), wrappers)
  })
  patchMethods(asRecord(exports).DefaultExecutionEngine, Object.keys(STEPS), STEPS)
  return patched.includes(true)
}

/** What a step asks a person is in what running it settles to, which has the span as its third argument. */
const STEPS: Wrappers = {
  executeStepWithRetry: (original) =>
    function (...args) {
      return tapPromise(original.apply(this, args), {
        value(settled) {
          const { stepSpan } = asRecord(args[2])
          const { suspended } = asRecord(asRecord(settled).result)
          if (suspended && stepSpan instanceof MastraSpan) stepSpan.ask(asRecord(suspended).payload)
        },
        error() {},
      })
    },
}

function traced(original: Method, place: number): Method {
  return function (...args) {
    const { tracingContext, tracing } = asRecord(args[place])
    if (!tracingContext && !tracing && !attempt("look for Mastra's observability", () => isObserved(this)))
      args[place] = { ...asRecord(args[place]), tracingContext: { currentSpan: new MastraSpan() } }
    return original.apply(this, args)
  }
}

/** Whether an agent or a run belongs to an instance of Mastra that records. */
function isObserved(owner: unknown): boolean {
  const { getMastraInstance, mastra } = asRecord(owner)
  const { observability } = asRecord(isMethod(getMastraInstance) ? getMastraInstance.call(owner) : mastra)
  const { getDefaultInstance } = asRecord(observability)
  return isMethod(getDefaultInstance) && getDefaultInstance.call(observability) !== undefined
}
