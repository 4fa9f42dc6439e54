import type { ModuleInfo } from './target.ts'

const FOLDER = '/node_modules/'

/**
 * Returns the path of a module below `node_modules`: `file:///app/node_modules/openai/index.mjs` → `openai/index.mjs`.
 * The last `node_modules` counts, so nested copies and pnpm's `.pnpm/openai@7.0.0/node_modules/openai` are found; the
 * query that some tools append is ignored. Called for every module of the application before this code is optimized, so
 * it does no more than this.
 */
export function pathInModules(url: string): string | undefined {
  const folder = url.lastIndexOf(FOLDER)
  if (folder < 0 || !url.startsWith('file:')) return undefined
  const path = url.slice(folder + FOLDER.length)
  return path.includes('?') || path.includes('#') ? path.slice(0, path.search(/[?#]/)) : path
}

/** Returns the package of a path below `node_modules`: `@scope/name/index.js` → `@scope/name`. */
export function packageIn(path: string): string {
  const end = path.indexOf('/', path.startsWith('@') ? path.indexOf('/') + 1 : 0)
  return end < 0 ? path : path.slice(0, end)
}

/** Returns the URL of a module's package folder, without a trailing slash. */
export function packageFolder({ package: name, url }: Pick<ModuleInfo, 'package' | 'url'>): string {
  const folder = FOLDER + name
  return url.slice(0, url.lastIndexOf(`${folder}/`) + folder.length)
}
