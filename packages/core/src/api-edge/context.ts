import type { Context } from '@opentelemetry/api'
import type * as api from '../api.ts'
import { apiGlobal } from '../api-global.ts'

type ContextApi = typeof api.context

export const ROOT_CONTEXT: Context = contextOf(new Map())

function contextOf(values: Map<symbol, unknown>): Context {
  return {
    getValue: (key) => values.get(key),
    setValue: (key, value) => contextOf(new Map(values).set(key, value)),
    deleteValue: (key) => contextOf(new Map([...values].filter(([other]) => other !== key))),
  }
}

export const active: ContextApi['active'] = () => apiGlobal()?.context?.active() ?? ROOT_CONTEXT

const runIn: ContextApi['with'] = (within, work, self, ...args) => {
  const manager = apiGlobal()?.context
  return manager ? manager.with(within, work, self, ...args) : work.apply(self as never, args)
}

export { runIn as with }
