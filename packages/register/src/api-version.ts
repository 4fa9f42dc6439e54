import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { attempt } from '@svc/core/attempt'

/** How far a copy in a bundle is searched for its version, in characters. */
const NEAR = 50_000
const VERSION = /["'`](1\.\d+\.\d+)["'`]/g

/**
 * Returns the version of the copy of OpenTelemetry's API that is registering something at this moment: by its package, or
 * in a bundle by the text around the calling function. A copy refuses to register where it reads another version than its
 * own, and tells its own to nobody. Called once in a process.
 *
 * @param called the function of ours that it calls
 */
export function versionOfCaller(called: () => unknown): string | undefined {
  return attempt('find the version of an API', () => {
    const site = callerOf(called)
    const file = site?.getFileName()
    if (!site || !file) return undefined
    const path = file.startsWith('file:') ? fileURLToPath(file) : file
    const [line, column] = [site.getLineNumber() ?? 1, site.getColumnNumber() ?? 1]
    return versionOfPackage(path) ?? versionAround(readFileSync(path, 'utf8'), line, column)
  })
}

function callerOf(called: () => unknown): NodeJS.CallSite | undefined {
  const { prepareStackTrace, stackTraceLimit } = Error
  try {
    Error.stackTraceLimit = 1
    Error.prepareStackTrace = (_, sites) => sites
    const holder: { stack?: NodeJS.CallSite[] } = {}
    Error.captureStackTrace(holder, called)
    return holder.stack?.[0]
  } finally {
    Error.prepareStackTrace = prepareStackTrace
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Undefined outside of the package: there it is a bundle. */
function versionOfPackage(path: string): string | undefined {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    if (!existsSync(file)) continue
    const { name, version } = JSON.parse(readFileSync(file, 'utf8'))
    // The folders of a package may have such files, too, without a name.
    if (name !== undefined) return name === '@opentelemetry/api' ? version : undefined
  }
  return undefined
}

/** Modules stand behind those that they import, so it is the last version before; after, where a bundler sorts otherwise. */
export function versionAround(text: string, line: number, column: number): string | undefined {
  let at = 0
  for (let each = 1; each < line; each++) at = text.indexOf('\n', at) + 1
  at += column
  const before = [...text.slice(Math.max(0, at - NEAR), at).matchAll(VERSION)].at(-1)
  const [, version] =
    before ??
    text
      .slice(at, at + NEAR)
      .matchAll(VERSION)
      .next().value ??
    []
  return version
}
