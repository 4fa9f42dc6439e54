import { type ApiGlobal, apiGlobal } from '@svc/core/api-global'
import { compareVersions } from '@svc/instrumentation/hook/target'

/** Changed versions, by global object. */
const taken = new WeakMap<ApiGlobal, string>()

/**
 * Gives what is registered the version of a copy of the API that the application has loaded. A copy registers nothing (a
 * meter provider, say) where the version is another than its own, and sees nothing of what is registered where its own
 * minor version is the newer one. So the first copy decides, and a later one only where it would see nothing.
 *
 * What another copy has made keeps its version: it cannot be changed, and was the first.
 */
export function takeVersion(version: string | undefined, api = apiGlobal()): void {
  if (!api || !version || majorOf(version) !== 1) return
  const before = taken.get(api)
  if (before !== undefined && compareVersions(minorOf(version), minorOf(before)) <= 0) return
  if (Reflect.defineProperty(api, 'version', { value: version, writable: true, enumerable: true, configurable: true }))
    taken.set(api, version)
}

function majorOf(version: string): number {
  return Number.parseInt(version, 10)
}

function minorOf(version: string): string {
  return version.replace(/^(\d+\.\d+)\..*/, '$1.0')
}
