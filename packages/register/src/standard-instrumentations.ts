import module, { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Instrumentation, InstrumentationModuleDefinition } from '@opentelemetry/instrumentation'
import { log, messageOf, warnOnce } from '@svc/core/log'
import { own } from '@svc/core/own'
import { createBedrockHooks } from '@svc/instrumentation/recorders'
import { CATALOGUE, findPackage } from './optional-packages.ts'

const require = createRequire(import.meta.filename)

/**
 * Loads the named instrumentations of OpenTelemetry's catalogue, each from its own package. Where the application has not
 * installed the catalogue, one line has the command that does.
 */
export function loadStandard(names: readonly string[], find = findPackage): Instrumentation[] {
  if (names.length === 0) return []
  const catalogue = find(CATALOGUE)
  if (catalogue === undefined) {
    warnOnce(
      `OpenTelemetry's instrumentations (${names.join(', ')}) are not installed and are left out: npm i ${CATALOGUE}`,
    )
    return []
  }
  const fromCatalogue = createRequire(catalogue)
  const loaded = names.flatMap((name) => {
    try {
      return [instantiate(fromCatalogue(`@opentelemetry/instrumentation-${name}`), own(CONFIGS, name)?.())]
    } catch (error) {
      log.once('warn', `instrumentation "${name}" cannot be loaded and is left out: ${messageOf(error)}`)
      return []
    }
  })
  hookImports(loaded, createRequire(fromCatalogue.resolve('@opentelemetry/instrumentation')))
  return loaded
}

/** Options beside the defaults, by name. */
const CONFIGS: Readonly<Record<string, () => object>> = {
  'aws-sdk': createBedrockHooks,
}

function instantiate(exported: Record<string, unknown>, config: object = {}): Instrumentation {
  const found = Object.entries(exported).find(([name]) => name.endsWith('Instrumentation'))?.[1]
  if (typeof found !== 'function') throw new TypeError('it exports no instrumentation')
  return Reflect.construct(found, [config]) as Instrumentation
}

interface ImportHook {
  supportsSyncHooks(): boolean
  register(options: { shouldInclude(url: string, specifier: string): boolean }): void
}

/**
 * OpenTelemetry's instrumentations support `import` only through import-in-the-middle, which has to be registered. It
 * is resolved from their location, so that there is one copy.
 */
function hookImports(instrumentations: readonly Instrumentation[], near: NodeJS.Require): void {
  const names = [...new Set(instrumentations.flatMap(moduleNames))]
  // Patched through `require` only: an additional hook for `import` would create two spans for one request.
  const builtins = new Set(names.filter((name) => module.isBuiltin(name)))
  const packages = names.filter((name) => !builtins.has(name))
  const hook = importHookOf(near)
  if (hook?.supportsSyncHooks()) {
    hook.register({
      shouldInclude: (url, specifier) =>
        packages.some((name) => specifier === name || url.includes(`/node_modules/${name}/`)),
    })
  } else {
    module.register('import-in-the-middle/hook.mjs', {
      parentURL: pathToFileURL(near.resolve('import-in-the-middle')),
      data: { include: packages },
    })
  }
  for (const name of builtins) require(name)
  module.syncBuiltinESMExports()
}

/** Undefined in versions that have only the asynchronous one, and where Node may not require ES modules. */
function importHookOf(near: NodeJS.Require): ImportHook | undefined {
  try {
    return near('import-in-the-middle/register-hooks.mjs') as ImportHook
  } catch {
    return undefined
  }
}

function moduleNames(instrumentation: Instrumentation): string[] {
  const { getModuleDefinitions } = instrumentation as { getModuleDefinitions?(): InstrumentationModuleDefinition[] }
  return getModuleDefinitions?.call(instrumentation).map((definition) => definition.name) ?? []
}
