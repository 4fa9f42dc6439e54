import { builtin } from './builtin.ts'

/**
 * Whose word counts about the trace of a request, or about its user, session and tags: everybody's, nobody's, or that
 * of callers that connect from these addresses. Undefined is nobody's, and the first one that is refused is reported.
 */
export type Trust = boolean | readonly string[] | undefined

/** Reads `10.0.0.0/8`, `fd00::/8`, `192.0.2.7` or `loopback`; undefined for anything else. */
export function rangesIn(name: string): readonly string[] | undefined {
  if (name === 'loopback') return ['127.0.0.0/8', '::1']
  const [address = '', prefix = '0', ...rest] = name.split('/')
  const version = address.includes('%') ? 0 : builtin('node:net')?.isIP(address)
  const isValid =
    version && rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128)
  return isValid ? [name] : undefined
}
