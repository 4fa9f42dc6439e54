import { createRequire } from 'node:module'
import type { ModuleTarget } from './hook/target.ts'

const require = createRequire(import.meta.url)

/** Entry points of clients that Stainless generates. The class lives in `client`, in older ones in `index`. */
const STAINLESS = /^(index|client)\.m?js$/

/**
 * The packages that are understood, for `hookModules`. What does the work is loaded with the package. Which versions
 * are understood is said in the catalogue of `@svc/register`.
 */
export const targets = {
  openai: target('openai', STAINLESS, () => from('openai').instrumentOpenAI),
} satisfies Readonly<Record<string, ModuleTarget>>

function target(name: string, file: RegExp, load: () => (exports: unknown) => boolean): ModuleTarget {
  return {
    package: name,
    file,
    apply(exports) {
      load()(exports)
    },
  }
}

interface Folders {
  readonly openai: typeof import('./openai/instrument.ts')
}

function from<Folder extends keyof Folders>(folder: Folder): Folders[Folder] {
  return require(`./${folder}/instrument.js`)
}
