import * as SLOTS from '@svc/core/slots'

/** The symbol under which edited code finds {@link EditWrappers}. */
export const SLOT = SLOTS.CLAUDE_AGENT

type Wrapper = <Original>(original: Original) => Original

/** Functions that edited code calls to replace an exported function. */
export type EditWrappers = Readonly<Record<WrappedExport, Wrapper>>

const WRAPPERS = `globalThis[Symbol.for(${JSON.stringify(SLOT)})]`

/** The functions that start queries and the one that takes tools. Older versions have no `startup`. */
export const WRAPPED_EXPORTS = ['query', 'startup', 'createSdkMcpServer'] as const
export type WrappedExport = (typeof WRAPPED_EXPORTS)[number]

/**
 * Appends one line to a module of `@anthropic-ai/claude-agent-sdk` that replaces its functions. Its exports cannot be
 * replaced from outside, but a module may assign to its own functions. Returns undefined if `query` is not found.
 */
export function wrapExports(source: string): string | undefined {
  const clause = source.slice(source.lastIndexOf('export'))
  const found = WRAPPED_EXPORTS.map((exported) => {
    const [, local = ''] =
      new RegExp(`[{,\\s]([\\w$]+) as ${exported}[,\\s}]`).exec(clause) ??
      new RegExp(`[{,\\s](${exported})\\s*[,}]`).exec(clause) ??
      []
    const isFunction = local !== '' && source.includes(`function ${local}(`)
    return isFunction ? `${local} = ${WRAPPERS}?.${exported}?.(${local}) ?? ${local};` : ''
  })
  return found[0] ? `${source}\n;${found.join(' ').trim()}` : undefined
}
