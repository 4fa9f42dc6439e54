// Replaces host-facts.ts in bundles for edge runtimes, which all freeze.
export const HOST_FACTS = {}

export function freezes(): boolean {
  return true
}
