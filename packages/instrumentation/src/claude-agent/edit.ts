/** Where the edited code finds {@link Wraps}. */
export const SLOT = 'svc.claude-agent.6'

type Wrap = <Own>(own: Own) => Own

/** What the edited code asks: each gives what an exported function is replaced by. */
export type Wraps = Readonly<Record<Exported, Wrap>>

const OURS = `globalThis[Symbol.for(${JSON.stringify(SLOT)})]`

/** The functions that begin a query, and the one that takes tools. Older versions have no `startup`. */
export const EXPORTED = ['query', 'startup', 'createSdkMcpServer'] as const
export type Exported = (typeof EXPORTED)[number]

/**
 * A module of `@anthropic-ai/claude-agent-sdk` with its functions replaced: they are plain exports, which nobody can
 * replace from outside, while a module may assign to its own functions. All of it is one line behind the last one.
 * Undefined where `query` is not found.
 */
export function withWraps(source: string): string | undefined {
  const clause = source.slice(source.lastIndexOf('export'))
  const found = EXPORTED.map((exported) => {
    const [, local = ''] =
      new RegExp(`[{,\\s]([\\w$]+) as ${exported}[,\\s}]`).exec(clause) ??
      new RegExp(`[{,\\s](${exported})\\s*[,}]`).exec(clause) ??
      []
    const isFunction = local !== '' && source.includes(`function ${local}(`)
    return isFunction ? `${local} = ${OURS}?.${exported}?.(${local}) ?? ${local};` : ''
  })
  return found[0] ? `${source}\n;${found.join(' ').trim()}` : undefined
}
