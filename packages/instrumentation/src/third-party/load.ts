import { createRequire } from 'node:module'
import { join } from 'node:path'
import { log, messageOf } from '@svc/core/log'
import { capturesContent } from '../gen-ai/configure.ts'
import { asArray, asRecord, type Fields, isMethod } from '../gen-ai/read.ts'
import type { ModuleTarget } from '../hook/target.ts'
import { LIBRARIES } from '../libraries.ts'
import type { Library } from '../library.ts'
import { trackLoaded } from '../loaded.ts'
import { coversTarget, createThirdPartyTarget, type ModuleDefinition, readDefinitions } from './definition.ts'

/**
 * Loads third-party instrumentations from the application's dependencies. Our hook passes them what is loaded by
 * `import` and `require`: their own hooks see `import` only through a loader, and only if it is the copy that they were
 * built on. One that cannot be loaded is skipped with one warning.
 *
 * @param ours the targets without them
 * @returns their targets, and those of ours that they do not replace
 */
export function replaceOurs(ours: readonly ModuleTarget[], names: readonly string[]): readonly ModuleTarget[] {
  const loaded = names.flatMap((name) => {
    try {
      return [loadThirdParty(name)]
    } catch (error) {
      log.once('warn', `instrumentation "${name}" cannot be loaded and is left out: ${messageOf(error)}`)
      return []
    }
  })
  const isReplaced = (target: ModuleTarget) =>
    loaded.some(
      ({ library, definitions }) =>
        library === target.package || definitions.some((each) => coversTarget(each, target)),
    )
  const thirdPartyTargets = loaded.flatMap(({ definitions, name, instrumentation }) =>
    definitions.map((definition) => createThirdPartyTarget(definition, { name, instrumentation, ours })),
  )
  return [
    ...thirdPartyTargets,
    ...ours.flatMap((target) => (isReplaced(target) ? replacementTargets(target) : [trackLoaded(target)])),
  ]
}

function replacementTargets(target: ModuleTarget): ModuleTarget[] {
  return target.whenReplaced ? [{ ...target, apply: target.whenReplaced }] : []
}

interface ThirdParty {
  readonly name: string
  readonly instrumentation: Fields
  readonly definitions: readonly ModuleDefinition[]
  /** The package that it has patched by itself. */
  readonly library: string | undefined
}

function loadThirdParty(name: string): ThirdParty {
  const instrumentation = constructInstrumentation(name)
  const { getModuleDefinitions, _modules, _onRequire } = instrumentation
  if (!isMethod(_onRequire)) throw new TypeError('it does not extend InstrumentationBase of OpenTelemetry')
  const listed = isMethod(getModuleDefinitions) ? getModuleDefinitions.call(instrumentation) : _modules
  const definitions = asArray(listed).flatMap(readDefinitions)
  const library = LIBRARIES.find(({ duplicates }) => patchesByItself(name, duplicates))?.package
  if (definitions.length === 0 && library === undefined) throw new TypeError('it names no package to instrument')
  // Without this it ignores the modules it is passed.
  Reflect.set(instrumentation, '_enabled', true)
  return { name, instrumentation, definitions, library }
}

function patchesByItself(name: string, duplicates: Library['duplicates'] = {}): boolean {
  return Object.values(duplicates).some((duplicate) => duplicate.patchesByItself === name)
}

/** Options that turn content off: OpenInference has the first, Traceloop the second. */
const WITHOUT_CONTENT = {
  traceConfig: Object.fromEntries(
    ['Inputs', 'Outputs', 'InputMessages', 'OutputMessages', 'Prompts', 'LLMTools'].map((what) => [
      `hide${what}`,
      true,
    ]),
  ),
  traceContent: false,
}

function constructInstrumentation(name: string): Fields {
  const exported: unknown = createRequire(join(process.cwd(), 'package.json'))(name)
  const found = Object.entries(asRecord(exported)).find(([key]) => key.endsWith('Instrumentation'))?.[1]
  if (typeof found !== 'function') throw new TypeError('it exports no instrumentation')
  // Disabled, or it would install hooks of its own. Each vendor reads that option from another place.
  const disabled = { enabled: false, instrumentationConfig: { enabled: false } }
  return asRecord(Reflect.construct(found, [capturesContent() ? disabled : { ...disabled, ...WITHOUT_CONTENT }]))
}
