import type { Environment } from './environment.ts'

/**
 * One thing a user may say, by an option or by variables. A row of `settings.ts`, where the comment above it is what
 * `docs/configuration.md` says of it.
 */
export interface Setting<T> {
  /** Variables in the order they are asked; the first one with a valid value wins. */
  readonly env: readonly string[]
  /** Turns what was said (option value or variable text) into a value; undefined when it is nonsense. */
  readonly read: (said: unknown, variable?: string) => T | undefined
  /** What `read` accepts, for the message: "expected …". */
  readonly expected: string
  readonly default: T
  /** What to fall back to after nonsense, where the default would do harm, and how to say it. */
  readonly afterNonsense?: { readonly value: T; readonly done: string }
  /** The value is never printed. */
  readonly secret?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: a table holds rows of any value type; each row keeps its own.
export type SettingTable = Readonly<Record<string, Setting<any>>>

/** What was decided: every setting present. */
export type Settings<Table extends SettingTable> = { readonly [K in keyof Table]: Table[K]['default'] }

/** What a user may say in code: everything optional. */
export type Options<Table extends SettingTable> = { readonly [K in keyof Table]?: Table[K]['default'] | undefined }

/**
 * Decides every setting of `table`: a valid option beats the environment, the environment beats the default.
 * Nonsense is reported in one line that names it, and then treated as unset. Never throws.
 */
export function readSettings<Table extends SettingTable>(
  table: Table,
  options: Readonly<Record<string, unknown>>,
  env: Environment,
  report: (line: string) => void,
): Settings<Table> {
  const decided: Record<string, unknown> = {}
  for (const [name, row] of Object.entries(table)) decided[name] = decide(name, row, options[name], env, report)
  return decided as Settings<Table>
}

function decide(
  name: string,
  row: Setting<unknown>,
  option: unknown,
  env: Environment,
  report: (line: string) => void,
): unknown {
  let fallback = row.default
  const nonsense = (source: string, said: unknown, separator: string) => {
    if (row.afterNonsense) fallback = row.afterNonsense.value
    const done = row.afterNonsense?.done ?? 'is ignored'
    report(`${source}${separator}${row.secret ? '(hidden)' : shown(said)} ${done}: expected ${row.expected}.`)
  }
  if (option !== undefined && option !== null) {
    const value = attempt(row, option)
    if (value !== undefined) return value
    nonsense(`option ${name}`, option, ' = ')
  }
  for (const variable of row.env) {
    const text = env(variable)
    if (text === undefined) continue
    const value = attempt(row, text, variable)
    if (value !== undefined) return value
    nonsense(variable, text, '=')
  }
  return fallback
}

// An option may be any object, getters that throw included.
function attempt(row: Setting<unknown>, said: unknown, variable?: string): unknown {
  try {
    return row.read(said, variable)
  } catch {
    return undefined
  }
}

function shown(said: unknown): string {
  const text = typeof said === 'string' ? JSON.stringify(said.replace(/\/\/[^/@\s]*@/, '//(hidden)@')) : describe(said)
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}

function describe(said: unknown): string {
  if (typeof said === 'number' || typeof said === 'boolean') return String(said)
  return Array.isArray(said) ? 'an array' : `a value of type ${typeof said}`
}
