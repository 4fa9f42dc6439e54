/** Package names of third-party instrumentations. */
const THIRD_PARTY = /^@(arizeai\/openinference|traceloop)[/-]instrumentation-[a-z0-9-]+$/

/** Returns whether this is the package name of an instrumentation of OpenInference or Traceloop. */
export function isThirdParty(name: string): boolean {
  return THIRD_PARTY.test(name)
}

/** Returns the package names of such instrumentations among `names`. */
export function thirdPartyIn(names: readonly string[] | undefined): readonly string[] {
  return names?.filter(isThirdParty) ?? []
}
