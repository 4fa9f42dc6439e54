import { createRequire } from 'node:module'
import { join } from 'node:path'

/** For a second destination: OpenTelemetry's own configuration, with its exporters. */
export const SDK_NODE = '@opentelemetry/sdk-node'
export const CATALOGUE = '@opentelemetry/auto-instrumentations-node'

/**
 * Returns the entry of an optional package: the application's, or one beside this package.
 *
 * @returns undefined when it is installed nowhere
 */
export function findPackage(name: string): string | undefined {
  for (const place of [process.argv[1], join(process.cwd(), 'package.json'), import.meta.filename]) {
    try {
      if (place) return createRequire(place).resolve(name)
    } catch {
      // Not there.
    }
  }
  return undefined
}

/** Returns the version of an optional package by its entry; undefined when it cannot be read. */
export function versionOf(name: string, entry: string): string | undefined {
  try {
    // A package finds itself by its name.
    return createRequire(entry)(`${name}/package.json`).version
  } catch {
    return undefined
  }
}
