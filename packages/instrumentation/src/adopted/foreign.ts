import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { log, messageOf } from '@svc/core/log'
import { capturesContent } from '../calls/configure.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../calls/read.ts'
import { isMethod } from '../calls/shadow.ts'
import type { ModuleInfo, ModuleTarget } from '../hook/target.ts'

/** Instrumentations of other vendors, by the names of their packages. */
const FOREIGN = /^@(arizeai\/openinference|traceloop)[/-]instrumentation-[a-z0-9-]+$/
/** Entry points as most packages have them. */
const ENTRY = /^((dist|lib|esm|cjs|build|src|node)\/)*index\.[cm]?js$/

/** Whether a name is that of an instrumentation of OpenInference or Traceloop. */
export function isForeign(name: string): boolean {
  return FOREIGN.test(name)
}

/**
 * Loads instrumentations of other vendors from where the application has them, and gives what they want to see of which
 * package. They are told by our hook, for `import` and `require` alike: their own hooks see `import` only through a
 * loader that has to be the very copy they were built on. One that cannot be loaded is left out, with one line.
 */
export function loadForeign(names: readonly string[]): ModuleTarget[] {
  return names.flatMap((name) => {
    try {
      return targetsOf(load(name))
    } catch (error) {
      log.once('warn', `instrumentation "${name}" cannot be loaded and is left out: ${messageOf(error)}`)
      return []
    }
  })
}

/** How each vendor calls the switch for content: OpenInference the first, Traceloop the second. */
const WITHOUT_CONTENT = {
  traceConfig: Object.fromEntries(
    ['Inputs', 'Outputs', 'InputMessages', 'OutputMessages', 'Prompts', 'LLMTools'].map((what) => [
      `hide${what}`,
      true,
    ]),
  ),
  traceContent: false,
}

function load(name: string): Fields {
  const exported: unknown = createRequire(join(process.cwd(), 'package.json'))(name)
  const found = Object.entries(fieldsOf(exported)).find(([key]) => key.endsWith('Instrumentation'))?.[1]
  if (typeof found !== 'function') throw new TypeError('it exports no instrumentation')
  // Not enabled: it would install hooks of its own. Each vendor has another place for that option.
  const disabled = { enabled: false, instrumentationConfig: { enabled: false } }
  return fieldsOf(Reflect.construct(found, [capturesContent() ? disabled : { ...disabled, ...WITHOUT_CONTENT }]))
}

function targetsOf(instrumentation: Fields): ModuleTarget[] {
  const { getModuleDefinitions, _modules, _onRequire } = instrumentation
  if (!isMethod(_onRequire)) throw new TypeError('it is built on another base than OpenTelemetry’s')
  const definitions = isMethod(getModuleDefinitions) ? getModuleDefinitions.call(instrumentation) : _modules
  // From here on it patches what it is shown.
  Reflect.set(instrumentation, '_enabled', true)
  return listOf(definitions).flatMap((definition) => {
    const { name, files } = fieldsOf(definition)
    const owner = textOf(name)
    if (owner === undefined) return []
    const show = (file: string) => (exports: unknown, info: ModuleInfo) => {
      _onRequire.call(instrumentation, definition, exports, file, rootOf(info))
    }
    const inner = listOf(files).flatMap((file) => fileTarget(owner, fieldsOf(file), show))
    return [{ package: owner, file: ENTRY, apply: show(owner) }, ...inner]
  })
}

/** A file inside the package, named with the package: `openai/resources/chat.js`. */
function fileTarget(owner: string, { name }: Fields, show: (file: string) => ModuleTarget['apply']): ModuleTarget[] {
  const path = textOf(name)
  if (!path?.startsWith(`${owner}/`)) return []
  const inside = path.slice(owner.length + 1).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return [{ package: owner, file: new RegExp(`^${inside}$`), apply: show(path) }]
}

/** The folder of the package. */
function rootOf({ package: name, url }: ModuleInfo): string {
  const folder = `/node_modules/${name}/`
  return fileURLToPath(url.slice(0, url.lastIndexOf(folder) + folder.length - 1))
}
