import { join } from 'node:path'
import type { SourceFile } from '../../files/source-file.ts'
import { readText } from '../../files/text.ts'
import { type Manifest, manifestIn, type Packages, packagesOf } from './packages.ts'
import { type Decided, decide } from './settings.ts'
import { sourcesIn } from './sources.ts'
import { type Start, startsOf } from './start.ts'
import { type AppVariables, variablesOf } from './variables.ts'

/** What is found out about the app without requests. */
export interface App extends Decided {
  readonly folder: string
  /** The package.json; undefined if it is missing or not JSON. */
  readonly manifest: Manifest | undefined
  readonly framework: 'next' | 'nest' | undefined
  readonly starts: readonly Start[]
  readonly packages: Packages
  readonly sources: readonly SourceFile[]
  readonly variables: AppVariables
  /** The version of Node, as `process.version`. */
  readonly nodeVersion: string
  /** Returns the text of a file of the app. */
  readonly read: (path: string) => string | undefined
}

export interface AppLocation {
  readonly folder: string
  /** The environment of this process. */
  readonly host: Readonly<Record<string, string | undefined>>
  readonly nodeVersion: string
  /** The config file that the user named to be run; undefined to run nothing. */
  readonly configFile?: string | undefined
}

/** Inspects the app in a folder. Executes nothing of it but the config file that the user named. */
export function appIn({ folder, host, nodeVersion, configFile }: AppLocation): App {
  const manifest = manifestIn(folder)
  const read = (path: string) => readText(join(folder, path))
  const starts = startsOf({ scripts: manifest?.scripts ?? {}, options: host.NODE_OPTIONS, read })
  const packages = packagesOf(folder, manifest ?? {})
  const framework = frameworkOf(manifest)
  const frameworkFiles = framework === 'next' ? ['.env.local', '.env'] : []
  const variables = variablesOf({ folder, host, starts, frameworkFiles })
  const sources = sourcesIn(folder)
  const decided = decide(variables, folder, configFile)
  return { folder, manifest, framework, starts, packages, sources, variables, nodeVersion, read, ...decided }
}

function frameworkOf(manifest: Manifest | undefined): App['framework'] {
  const names = { ...manifest?.dependencies, ...manifest?.devDependencies }
  return 'next' in names ? 'next' : '@nestjs/core' in names ? 'nest' : undefined
}
