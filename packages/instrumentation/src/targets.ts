import { log } from '@svc/core/log'
import { applyPatch } from './apply-patch.ts'
import { EDITS } from './edits.ts'
import type { EditSource } from './hook/edit-source.ts'
import type { ModuleInfo, ModuleTarget } from './hook/target.ts'
import { LIBRARIES } from './libraries.ts'
import type { Library } from './library.ts'

/** Packages that send requests from native code, where nobody in the process sees them: a line says that they are lost. */
export const NATIVE_ENGINES: readonly ModuleTarget[] = [
  { package: '@boundaryml/baml', files: ['native.js'], apply: (exports) => void applyPatch('BAML', 'baml', exports) },
]

/** The targets for `hookModules`, by library name. */
export const TARGETS: Readonly<Record<string, readonly ModuleTarget[]>> = createTargets()

function createTargets(): Record<string, ModuleTarget[]> {
  const byName: Record<string, ModuleTarget[]> = {}
  for (const library of LIBRARIES) {
    byName[library.name] ??= []
    byName[library.name]?.push(createTarget(library))
  }
  return byName
}

function createTarget({ name, package: packageName, files, versions, edit, patch, whenReplaced }: Library) {
  return {
    package: packageName,
    files,
    versions,
    ...(edit && { edit: (source: string, info: ModuleInfo) => editSource(source, info, EDITS[edit]) }),
    apply: (exports: unknown) => void (patch && applyPatch(name, patch, exports)),
    ...(whenReplaced && { whenReplaced: (exports: unknown) => void applyPatch(name, whenReplaced, exports) }),
  }
}

/** Warns if a source was not recognized: a minor version may move what the edit changes. */
function editSource(source: string, { package: name, version }: ModuleInfo, edit: EditSource): string {
  const edited = edit(source, version)
  if (edited.missing.length > 0) {
    const missing = edited.missing.join(' and ')
    log.once('warn', `${name} ${version} has changed inside, so ${missing} cannot be recorded: update @svc/register.`)
  }
  return edited.source
}
