/** The package a module belongs to. */
export interface Package {
  readonly name: string
  /** URL of its folder, without a slash at the end. */
  readonly root: string
}

const FOLDER = '/node_modules/'

/**
 * Reads the URL of a module: `file:///app/node_modules/openai/index.mjs` belongs to `openai`. The last `node_modules`
 * in it counts, so that nested copies and pnpm's `.pnpm/openai@7.0.0/node_modules/openai` are found under their own
 * name. Asked for every module of the application, so it does no more than this.
 */
export function packageOf(url: string): Package | undefined {
  const folder = url.lastIndexOf(FOLDER)
  if (folder < 0 || !url.startsWith('file:')) return undefined
  const start = folder + FOLDER.length
  const slash = url.indexOf('/', start)
  const end = url[start] === '@' ? url.indexOf('/', slash + 1) : slash
  return slash < 0 || end < 0 ? undefined : { name: url.slice(start, end), root: url.slice(0, end) }
}

/** The path of a module inside its package, without the query under which some tools import a file once more. */
export function pathInside({ root }: Package, url: string): string {
  const end = url.search(/[?#]/)
  return url.slice(root.length + 1, end < 0 ? undefined : end)
}
