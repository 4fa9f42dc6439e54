import { attempt } from '@svc/core/attempt'
import { asArray, asRecord, isMethod, isObject, type Method } from '../gen-ai/read.ts'
import { prototypeOf, replaceMethod } from '../patch/replace-method.ts'
import { callbacksOf } from './callbacks.ts'
import { SEEN } from './gen-ai.ts'
import { isLookedUp } from './looked-up.ts'

const OURS = 'SvcInstrumentation'
/** Name of the handler that an application adds itself. It says more than we can know, so ours steps aside. */
export const HANDLER_NAME = 'SvcCallbackHandler'

const callbacks = callbacksOf(SEEN)

/** What LangChain calls; awaited, so that it is called in the context of the work. */
const handler = {
  name: OURS,
  lc_serializable: false,
  awaitHandlers: true,
  raiseError: false,
  ignoreLLM: false,
  ignoreChain: false,
  ignoreAgent: false,
  ignoreRetriever: false,
  ignoreCustomEvent: true,
  ...callbacks,
  copy: () => handler,
}

/** Adds our handler to all that is configured, by a static method that everything in LangChain goes through. */
export function addHandler(manager: unknown): boolean {
  return replaceMethod(manager, '_configureSync', (own) => {
    const configure: Method = function (inheritable, local, ...more) {
      if (isLookedUp()) return own.apply(this, [inheritable, local, ...more])
      // Without any handler LangChain makes no manager, and tags and metadata would be lost.
      const configured = own.apply(this, [inheritable ?? (local ? inheritable : [handler]), local, ...more])
      attempt('add our handler', () => settle(configured))
      return configured
    }
    return configure
  })
}

/**
 * Tells our handler of a token without the promises that LangChain makes for each handler, where nobody else listens.
 *
 * @param runManager `CallbackManagerForLLMRun`
 */
export function hearTokens(runManager: unknown): boolean {
  return replaceMethod(prototypeOf(runManager), 'handleLLMNewToken', (own) => {
    return function (...args) {
      const { handlers, runId } = asRecord(this)
      if (!Array.isArray(handlers) || handlers.length !== 1 || handlers[0] !== handler) return own.apply(this, args)
      const [token, index, , , , fields] = args
      callbacks.handleLLMNewToken?.(token, index, runId, undefined, undefined, fields)
      return HEARD
    }
  })
}

const HEARD = Promise.resolve()

/** One of both: the application's, or ours. */
function settle(manager: unknown): void {
  if (!isObject(manager)) return
  const { handlers, addHandler: add, removeHandler: remove } = manager
  const named = (name: string) => asArray(handlers).find((each) => isObject(each) && each.name === name)
  const [ours, theirs] = [named(OURS), named(HANDLER_NAME)]
  if (theirs && ours && isMethod(remove)) remove.call(manager, ours)
  else if (!theirs && !ours && isMethod(add)) add.call(manager, handler, true)
}
