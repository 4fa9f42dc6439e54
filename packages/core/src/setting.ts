import type { Environment } from './environment.ts'
import { foreignText } from './foreign-text.ts'
import { keepSecret } from './keep-secret.ts'
import { own } from './own.ts'

/**
 * A setting that is read from an option or from environment variables. A row of `settings.ts`; the comment above the
 * row becomes its text in `docs/configuration.md`.
 */
export type Setting<T> = Row<T> & (undefined extends T ? { readonly default?: T } : { readonly default: T })

interface Row<T> {
  /** Variables in order of precedence; the first one with a valid value is used. */
  readonly env: readonly string[]
  /** Converts a raw option value or variable text; returns undefined if it is invalid. */
  readonly read: (raw: unknown, variable?: string) => T | undefined
  /** The values that `read` accepts, for the message: "expected …". */
  readonly expected: string
  /** Fallback for an invalid value if the default would do harm, and the words that report it. */
  readonly whenInvalid?: { readonly value: T; readonly done: string } | undefined
  /** Whether the value must never be printed. */
  readonly secret?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: a table holds rows of any value type; each row keeps its own.
export type SettingTable = Readonly<Record<string, Setting<any>>>

/** Resolved settings: every one is present. */
export type Settings<Table extends SettingTable> = { readonly [K in keyof Table]: Table[K]['default'] }

/** Options in code: all are optional. */
export type Options<Table extends SettingTable> = { readonly [K in keyof Table]?: Table[K]['default'] | undefined }

/**
 * Resolves every setting of `table`: a valid option takes precedence over the environment, and the environment over the
 * default. An invalid value is reported in one line and treated as unset. Secrets are remembered, so that no text repeats
 * them. What is decided stays so. Never throws.
 */
export function readSettings<Table extends SettingTable>(
  table: Table,
  options: Readonly<Record<string, unknown>>,
  env: Environment,
  report: (line: string) => void,
): Settings<Table> {
  const decided: Record<string, unknown> = {}
  for (const [name, row] of Object.entries(table)) decided[name] = decide(name, row, own(options, name), env, report)
  return Object.freeze(decided) as Settings<Table>
}

function decide(
  name: string,
  row: Setting<unknown>,
  option: unknown,
  env: Environment,
  report: (line: string) => void,
): unknown {
  let fallback = own(row, 'default')
  const whenInvalid = own(row, 'whenInvalid')
  const isSecret = own(row, 'secret') === true
  const reportInvalid = (source: string, raw: unknown, separator: string) => {
    if (whenInvalid) fallback = whenInvalid.value
    const done = whenInvalid?.done ?? 'is ignored'
    report(`${source}${separator}${isSecret ? '(hidden)' : formatValue(raw)} ${done}: expected ${row.expected}.`)
  }
  const found = (value: unknown) => {
    if (isSecret) keepSecret(value)
    return value
  }
  if (option !== undefined && option !== null) {
    const value = readRaw(row, option)
    if (value !== undefined) return found(value)
    reportInvalid(`option ${name}`, option, ' = ')
  }
  for (const variable of row.env) {
    const text = env(variable)
    if (text === undefined) continue
    const value = readRaw(row, text, variable)
    if (value !== undefined) return found(value)
    reportInvalid(variable, text, '=')
  }
  return fallback
}

// An option may be any object, also one with getters that throw.
function readRaw(row: Setting<unknown>, raw: unknown, variable?: string): unknown {
  try {
    return row.read(raw, variable)
  } catch {
    return undefined
  }
}

function formatValue(raw: unknown): string {
  if (typeof raw !== 'string') return describeType(raw)
  return JSON.stringify(foreignText(raw.replace(/\/\/[^/@\s]*@/, '//(hidden)@'), 78))
}

function describeType(raw: unknown): string {
  if (typeof raw === 'number' || typeof raw === 'boolean') return String(raw)
  return Array.isArray(raw) ? 'an array' : `a value of type ${typeof raw}`
}
