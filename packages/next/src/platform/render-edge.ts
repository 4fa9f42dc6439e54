/** Edge runtimes render nothing for Next's cache. */
export function rendersForCache(): boolean | undefined {
  return false
}
