import { createRequire } from 'node:module'
import { attempt } from '@svc/core/attempt'
import { log } from '@svc/core/log'
import type { EditSource } from './hook/edit-source.ts'
import type { ModuleInfo, ModuleTarget } from './hook/target.ts'
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
    ...(edit && { edit: (source: string, info: ModuleInfo) => changed(source, info, require(`./${edit}.js`).edit) }),
    apply: (exports) => void attempt(`instrument ${name}`, () => patch?.(exports, load)),
    ...(aside && { aside: (exports: unknown) => aside(exports, load) }),
  }
}

/** A minor version of a library may move what is changed in its source, and whoever upgrades has to hear of it. */
function changed(source: string, { package: name, version }: ModuleInfo, edit: EditSource): string {
  const edited = edit(source, version)
  if (edited.missing.length > 0) {
    const missing = edited.missing.join(' and ')
    log.once('warn', `${name} ${version} has changed inside, so ${missing} cannot be recorded: update @svc/register.`)
  }
  return edited.source
}
