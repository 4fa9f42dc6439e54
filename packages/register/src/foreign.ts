import { isThirdParty } from '@svc/instrumentation/third-party'

/** Returns the names of OpenInference's and Traceloop's instrumentations among `names`. */
export function foreignIn(names: readonly string[] | undefined): readonly string[] {
  return names?.filter(isThirdParty) ?? []
}
