import { readFileSync } from 'node:fs'

/** Versions by package folder: most packages have several files that are hooked. */
const versions = new Map<string, string | undefined>()

/** Returns the version of the package in a folder, which is a URL. */
export function versionOf(folder: string): string | undefined {
  if (!versions.has(folder)) versions.set(folder, versionIn(folder))
  return versions.get(folder)
}

function versionIn(folder: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(new URL(`${folder}/package.json`), 'utf8'))
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}
