import { hostProcess } from './host-process.ts'
import { own } from './own.ts'

/**
 * Returns a variable by name; undefined if it is unset or empty. Passed as an argument, so that tests do not change
 * `process.env`.
 */
export type Environment = (name: string) => string | undefined

/**
 * The environment of this process: `process.env`, else a global of that name (edge runtimes bind variables as globals).
 * An empty string counts as unset.
 */
export const hostEnvironment: Environment = (name) => {
  const variables: Record<string, string | undefined> = hostProcess()?.env ?? {}
  const fromProcess = own(variables, name)
  if (fromProcess) return fromProcess
  const fromGlobal = own(globalThis as Record<string, unknown>, name)
  return typeof fromGlobal === 'string' && fromGlobal !== '' ? fromGlobal : undefined
}

/** Returns the environment from an option, else {@link hostEnvironment}. Reports any other value than a function. */
export function givenEnvironment(env: unknown, report: (line: string) => void): Environment {
  if (typeof env === 'function') return env as Environment
  if (env !== undefined && env !== null)
    report(`option env = a value of type ${typeof env} is ignored: expected a function, (name) => process.env[name].`)
  return hostEnvironment
}

/** Returns all variables of this process, for programs that list them. To read one, use {@link hostEnvironment}. */
export function hostVariables(): Readonly<Record<string, string | undefined>> {
  return { ...hostProcess()?.env }
}

/** Returns the names of all variables of this process; none where it may not list them, as in Deno by default. */
export function variableNames(): string[] {
  try {
    return Object.keys(hostProcess()?.env ?? {})
  } catch {
    return []
  }
}

/** Returns an environment with the variables of an object, for tests and for child processes. */
export function environmentOf(variables: Readonly<Record<string, string | undefined>>): Environment {
  return (name) => own(variables, name) || undefined
}

/**
 * Sets a variable of this process, unless it is set, for libraries that have no other option. Child processes inherit
 * it.
 *
 * @param value in lower case. Its last letter is set in upper case, so that {@link isDefault} knows it in child processes,
 *   too: the library has to read any case
 */
export function defaultVariable(name: string, value: string): void {
  const variables = hostProcess()?.env
  if (variables) variables[name] ||= value.replace(/\w$/, (last) => last.toUpperCase())
}

/** Whether a variable has a value of {@link defaultVariable}, of this process or of one above it. */
export function isDefault(name: string): boolean {
  return /^[^A-Z]+[A-Z]$/.test(hostProcess()?.env[name] ?? '')
}

/** Removes a variable that {@link defaultVariable} has set. */
export function removeDefault(name: string): void {
  if (isDefault(name)) delete hostProcess()?.env[name]
}
