import { isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'

/** Where a bundle is to run: the conditions by which bundlers for it choose among the files of a package. */
export const TARGETS = {
  'a browser': ['browser', 'module', 'import', 'default'],
  'an edge runtime': ['edge-light', 'workerd', 'worker', 'browser', 'module', 'import', 'default'],
} as const

export interface Bundle {
  /** One script that puts the exports of the program on `app`. */
  readonly code: string
  /** Everything that was imported on the way, as it was written, whether it is in the code or not. */
  readonly imports: readonly string[]
  /** Those that only Node has. */
  readonly nodeImports: readonly string[]
}

/** Bundles a program of this folder with all that it reaches. */
export async function bundle(program: string, target: keyof typeof TARGETS): Promise<Bundle> {
  const seen = new Set<string>()
  const watch: Plugin = {
    name: 'watch',
    enforce: 'pre',
    resolveId: (source) => {
      seen.add(source)
    },
  }
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root: fileURLToPath(new URL('.', import.meta.url)),
    plugins: [watch],
    resolve: { conditions: [...TARGETS[target]] },
    build: { write: false, minify: false, target: 'es2022', lib: { entry: program, formats: ['iife'], name: 'app' } },
  })
  const [{ output }] = [result].flat() as [Rolldown.RolldownOutput]
  const imports = [...seen]
  return { code: output[0].code, imports, nodeImports: imports.filter((source) => isBuiltin(source)) }
}
