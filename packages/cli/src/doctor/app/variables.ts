import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { type Environment, environmentOf } from '@svc/core/environment'
import type { Setting } from '@svc/core/setting'
import { readText } from '../../files/text.ts'
import type { Start } from './start.ts'

/** A variable of the app, and its source. */
export interface Variable {
  readonly name: string
  readonly value: string
  /** `environment`, `.env`, or the command that sets it. */
  readonly source: string
  /** Whether the preload can read it. A file that the app itself loads is loaded too late. */
  readonly isLoaded: boolean
}

export interface AppVariables {
  /** The effective variables, one for each name. */
  readonly all: readonly Variable[]
  readonly env: Environment
  find(name: string): Variable | undefined
  /** Returns the variable that a setting is read from: the first one with a valid value, else the first that is set. */
  of(setting: Pick<Setting<unknown>, 'env' | 'read'>): Variable | undefined
}

interface Places {
  readonly folder: string
  readonly host: Readonly<Record<string, string | undefined>>
  readonly starts: readonly Start[]
  /** Files that the framework loads before the app. */
  readonly frameworkFiles: readonly string[]
}

/** Returns the variables that the app would have if it were started from this shell, and those in its files. */
export function variablesOf({ folder, host, starts, frameworkFiles }: Places): AppVariables {
  const found = new Map<string, Variable>()
  const add = (values: Readonly<Record<string, string | undefined>>, source: string, isLoaded = true) => {
    for (const [name, value] of Object.entries(values)) {
      if (value && !found.has(name)) found.set(name, { name, value, source, isLoaded })
    }
  }
  add(host, 'environment')
  const loaded = new Set([...frameworkFiles, ...starts.flatMap(({ envFiles }) => envFiles.map(plain))])
  for (const file of new Set([...loaded, '.env'])) {
    add(parseEnv(readText(join(folder, file)) ?? '') as Record<string, string>, file, loaded.has(file))
  }
  for (const { env, where } of starts) add(env, where)
  return {
    all: [...found.values()],
    env: environmentOf(Object.fromEntries([...found.values()].map(({ name, value }) => [name, value]))),
    find: (name) => found.get(name),
    of({ env, read }) {
      const set = env.flatMap((name) => found.get(name) ?? [])
      return set.find(({ name, value }) => read(value, name) !== undefined) ?? set[0]
    },
  }
}

const plain = (path: string): string => path.replace(/^\.\//, '')
