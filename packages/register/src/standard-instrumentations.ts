import module, { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Instrumentation, InstrumentationModuleDefinition } from '@opentelemetry/instrumentation'
import { log, messageOf } from '@svc/core/log'

const require = createRequire(import.meta.url)

/** Loads the named instrumentations of OpenTelemetry's catalogue, each from its own package. */
export function loadStandard(names: readonly string[]): Instrumentation[] {
  if (names.length === 0) return []
  const fromCatalogue = createRequire(require.resolve('@opentelemetry/auto-instrumentations-node'))
  const loaded = names.flatMap((name) => {
    try {
      return [instantiate(fromCatalogue(`@opentelemetry/instrumentation-${name}`), CONFIGS[name]?.())]
    } catch (error) {
      log.once('warn', `instrumentation "${name}" cannot be loaded and is left out: ${messageOf(error)}`)
      return []
    }
  })
  hookImports(loaded)
  return loaded
}

/** What they are told beside their defaults, by name. */
const CONFIGS: Readonly<Record<string, () => object>> = {
  'aws-sdk': () => {
    const adoption: typeof import('@svc/instrumentation/bedrock/adoption') = require('@svc/instrumentation/bedrock/adoption')
    return adoption.bedrockHooks
  },
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
 * OpenTelemetry's instrumentations see `import` only through import-in-the-middle, and nothing registers it for them.
 * It is resolved from where they look for it, so that there is one copy.
 */
function hookImports(instrumentations: readonly Instrumentation[]): void {
  const names = [...new Set(instrumentations.flatMap(moduleNames))]
  const near = createRequire(require.resolve('@opentelemetry/instrumentation'))
  const hook = near('import-in-the-middle/register-hooks.mjs') as ImportHook
  // Patched through `require` only: a hook on `import` besides would give two spans for one request.
  const builtins = new Set(names.filter((name) => module.isBuiltin(name)))
  const packages = names.filter((name) => !builtins.has(name))
  if (hook.supportsSyncHooks()) {
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

function moduleNames(instrumentation: Instrumentation): string[] {
  const { getModuleDefinitions } = instrumentation as { getModuleDefinitions?(): InstrumentationModuleDefinition[] }
  return getModuleDefinitions?.call(instrumentation).map((definition) => definition.name) ?? []
}
