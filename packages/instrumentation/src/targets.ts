import { createRequire } from 'node:module'
import { attempt } from '@svc/core/attempt'
import type { ModuleTarget } from './hook/target.ts'
import { LIBRARIES } from './libraries.ts'
import type { Library } from './library.ts'

const require = createRequire(import.meta.url)

/** What `hookModules` is told of each library, by its name. */
export const TARGETS: Readonly<Record<string, readonly ModuleTarget[]>> = Object.fromEntries(
  LIBRARIES.map(({ name }) => [name, LIBRARIES.filter((each) => each.name === name).map(targetOf)]),
)

/** What does the work is loaded with the first call, or else with the package. */
function targetOf({ name, package: packageName, files, versions, module, patch, edit, aside }: Library): ModuleTarget {
  const load = () => require(`./${module}.js`)
  return {
    package: packageName,
    files,
    versions,
    ...(edit && { edit: (source: string) => require(`./${edit}.js`).edit(source) }),
    apply: (exports) => void attempt(`instrument ${name}`, () => patch?.(exports, load)),
    ...(aside && { aside: (exports: unknown) => aside(exports, load) }),
  }
}
