import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/** Files of a package that are not needed to run it. */
const NOT_NEEDED = new Set(['node_modules', 'src', 'test', 'tests', 'docs', 'examples'])

/**
 * Globs, relative to the project, for everything the named packages need at run time: their files, those of their
 * dependencies and so on, and the links by which they find each other. Output file tracing sees none of it, because the
 * pipeline is loaded out of sight of bundlers, or before Next by `--import`.
 *
 * @param names packages to begin with, as they are found from the folder of the project
 * @param leaveOut packages that are not followed
 */
export function tracedPackages(project: string, names: readonly string[], leaveOut: ReadonlySet<string>): string[] {
  const globs = new Set<string>()
  const seen = new Set<string>()
  const visit = (from: string, name: string): void => {
    const found = leaveOut.has(name) ? undefined : findPackage(from, name)
    if (!found) return
    for (const glob of contentsOf(found)) globs.add(relative(project, glob).split(sep).join('/'))
    const folder = realpathSync(found)
    if (seen.has(folder)) return
    seen.add(folder)
    for (const dependency of dependenciesOf(folder)) visit(folder, dependency)
  }
  for (const name of names) visit(project, name)
  return [...globs]
}

/** Returns the folder of a package, or the link to it, as Node finds it from `folder`. */
export function findPackage(folder: string, name: string): string | undefined {
  const candidate = join(folder, 'node_modules', name)
  if (existsSync(join(candidate, 'package.json'))) return candidate
  const above = dirname(folder)
  return above === folder ? undefined : findPackage(above, name)
}

/** By way of the link, so that the link is taken along. */
function contentsOf(found: string): string[] {
  return readdirSync(found)
    .filter((entry) => !NOT_NEEDED.has(entry) && !/\.(?:md|map|tsbuildinfo)$/i.test(entry))
    .map((entry) => join(found, entry))
    .map((path) => (statSync(path).isDirectory() ? join(path, '**/*.{js,cjs,mjs,json,node}') : path))
}

function dependenciesOf(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, object | undefined>
  return ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((kind) =>
    Object.keys(manifest[kind] ?? {}),
  )
}
