import type { ModuleInfo } from './target.ts'

const FOLDER = '/node_modules/'

/**
 * Where below a `node_modules` a module lies: `file:///app/node_modules/openai/index.mjs` is `openai/index.mjs`. The last
 * `node_modules` counts, so that nested copies and pnpm's `.pnpm/openai@7.0.0/node_modules/openai` are found under their
 * own name, and the query under which some tools import a file once more does not. Asked for every module of the
 * application, before any of this code is warm, so it does no more than this.
 */
export function pathInModules(url: string): string | undefined {
  const folder = url.lastIndexOf(FOLDER)
  if (folder < 0 || !url.startsWith('file:')) return undefined
  const path = url.slice(folder + FOLDER.length)
  return path.includes('?') || path.includes('#') ? path.slice(0, path.search(/[?#]/)) : path
}

/** The URL of the folder of a module's package, without a slash at the end. */
export function packageFolder({ package: name, url }: Pick<ModuleInfo, 'package' | 'url'>): string {
  const folder = FOLDER + name
  return url.slice(0, url.lastIndexOf(`${folder}/`) + folder.length)
}
