import { builtin } from './builtin.ts'
import { own } from './own.ts'

/**
 * Whose word counts about the trace of a request, or about its user, session and tags: everybody's, nobody's, or that
 * of callers that connect from these addresses. Undefined is nobody's, and the first one that is refused is reported.
 */
export type Trust = boolean | readonly string[] | undefined

/** Names of ranges that a list may have in place of addresses. */
const NAMED: Readonly<Record<string, readonly string[]>> = { loopback: ['127.0.0.0/8', '::1'] }

/** Reads `10.0.0.0/8`, `fd00::/8`, `192.0.2.7` or `loopback`; undefined for anything else. */
export function rangesIn(name: string): readonly string[] | undefined {
  const named = own(NAMED, name)
  if (named) return named
  const [address = '', prefix = '0', ...rest] = name.split('/')
  const version = address.includes('%') ? 0 : builtin('node:net')?.isIP(address)
  const isValid =
    version && rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128)
  return isValid ? [name] : undefined
}

/** Returns whether an address is in one of the ranges. Nothing is in any where addresses are not known: on the edge. */
export function isWithin(address: string | undefined, ranges: readonly string[]): boolean {
  const net = builtin('node:net')
  // The zone of a link-local address is a name of this machine's own.
  const bare = address?.split('%', 1)[0] ?? ''
  const version = net?.isIP(bare)
  if (!net || !version) return false
  return blockListOf(ranges, net).check(bare, version === 4 ? 'ipv4' : 'ipv6')
}

type Net = typeof import('node:net')

/** Made with the first request that needs it. */
const blockLists = new WeakMap<readonly string[], InstanceType<Net['BlockList']>>()

function blockListOf(ranges: readonly string[], net: Net): InstanceType<Net['BlockList']> {
  const known = blockLists.get(ranges)
  if (known) return known
  const list = new net.BlockList()
  for (const range of ranges.flatMap((name) => rangesIn(name) ?? [])) {
    const [address = '', prefix] = range.split('/')
    const family = net.isIP(address) === 4 ? 'ipv4' : 'ipv6'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  blockLists.set(ranges, list)
  return list
}
