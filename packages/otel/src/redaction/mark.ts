let seed: number | undefined

/**
 * Returns what stands in the place of a value: `[email:3f2a]`. In one process the same value has the same mark, so that a
 * conversation stays readable; another process has others, so that nobody can look a value up.
 */
export function markOf(kind: string, value: string): string {
  // Made late: Workers have no random numbers while a module loads.
  seed ??= Math.random() * 2 ** 32
  let hash = seed
  for (let at = 0; at < value.length; at++) hash = Math.imul(hash ^ value.charCodeAt(at), 0x0100_0193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
  return `[${kind}:${(hash >>> 16).toString(16).padStart(4, '0')}]`
}
