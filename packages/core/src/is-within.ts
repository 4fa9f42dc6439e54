import { builtin } from './builtin.ts'

/**
 * Returns whether an address is in one of the ranges, as `rangesIn` reads them. None is where addresses are not known.
 */
export function isWithin(address: string | undefined, ranges: readonly string[]): boolean {
  const net = builtin('node:net')
  // The zone of a link-local address is a name of this machine's own.
  const bare = address?.split('%', 1)[0] ?? ''
  const version = net?.isIP(bare)
  return net && version ? blockListOf(ranges, net).check(bare, version === 4 ? 'ipv4' : 'ipv6') : false
}

type Net = typeof import('node:net')

/** Made with the first request that needs it. */
const blockLists = new WeakMap<readonly string[], InstanceType<Net['BlockList']>>()

function blockListOf(ranges: readonly string[], net: Net): InstanceType<Net['BlockList']> {
  const known = blockLists.get(ranges)
  if (known) return known
  const list = new net.BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    const version = net.isIP(address)
    const family = version === 4 ? 'ipv4' : 'ipv6'
    if (version === 0) continue
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  blockLists.set(ranges, list)
  return list
}
