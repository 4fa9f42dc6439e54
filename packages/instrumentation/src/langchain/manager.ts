import { attempt } from '@svc/core/attempt'
import { isObject, listOf } from '../calls/read.ts'
import { isMethod, type Method } from '../calls/shadow.ts'
import { callbacksOf } from './callbacks.ts'
import { SEEN } from './gen-ai.ts'
import { replaceMethod } from './method.ts'

const OURS = 'SvcInstrumentation'
/** Name of the handler that an application adds itself. It says more than we can know, so ours steps aside. */
export const HANDLER_NAME = 'SvcCallbackHandler'

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
  ...callbacksOf(SEEN),
  copy: () => handler,
}

/** Adds our handler to all that is configured, by a static method that everything in LangChain goes through. */
export function addHandler(manager: unknown): boolean {
  return replaceMethod(manager, '_configureSync', (own) => {
    const configure: Method = function (inheritable, local, ...more) {
      // Without any handler LangChain makes no manager, and tags and metadata would be lost.
      const configured = own.apply(this, [inheritable ?? (local ? inheritable : [handler]), local, ...more])
      attempt('add our handler', () => settle(configured))
      return configured
    }
    return configure
  })
}

/** One of both: the application's, or ours. */
function settle(manager: unknown): void {
  if (!isObject(manager)) return
  const { handlers, addHandler: add, removeHandler: remove } = manager
  const named = (name: string) => listOf(handlers).find((each) => isObject(each) && each.name === name)
  const [ours, theirs] = [named(OURS), named(HANDLER_NAME)]
  if (theirs && ours && isMethod(remove)) remove.call(manager, ours)
  else if (!theirs && !ours && isMethod(add)) add.call(manager, handler, true)
}
