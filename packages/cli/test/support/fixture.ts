import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { VERSION } from '@svc/core/version'
import { onTestFinished } from 'vitest'
import { type App, appIn } from '../../src/doctor/app/app.ts'
import { examine } from '../../src/doctor/checks.ts'
import type { Finding } from '../../src/doctor/finding.ts'

/** What differs from the app that has no fault. */
export interface Fault {
  /** Files by path, JSON as objects; undefined takes one away. */
  readonly files?: Readonly<Record<string, string | object | undefined>>
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly nodeVersion?: string
  /** The value of `--config`. */
  readonly configFile?: string
}

/** A package that is installed: `...installed('openai', '7.55.0')`. */
export function installed(name: string, version: string, more: object = {}) {
  return { [`node_modules/${name}/package.json`]: { name, version, ...more } }
}

const DEPENDENCIES = { openai: '^7.55.0', '@svc/register': VERSION }

/** The package.json of the app, with other scripts and more dependencies. */
export function manifest({
  dependencies = {},
  ...more
}: {
  dependencies?: object
  scripts?: object
  engines?: object
}) {
  const scripts = { start: 'node --import @svc/register app.js', test: 'node --test' }
  return { name: 'app', type: 'module', scripts, ...more, dependencies: { ...DEPENDENCIES, ...dependencies } }
}

const FILES = {
  'package.json': manifest({}),
  'app.js': "import OpenAI from 'openai'\n",
  ...installed('openai', '7.55.0'),
  ...installed('@svc/register', VERSION),
}

const VARIABLES = {
  SVC_PUBLIC_KEY: 'pk-svc-1234',
  SVC_SECRET_KEY: 'sk-svc-12345678',
  SVC_BASE_URL: 'https://svc.example.com',
}

/** Writes the app with its fault into a folder of its own, which is there until the test ends. */
export function makeApp({ files = {} }: Fault): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries({ ...FILES, ...files })) {
    if (content === undefined) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

/** The app with this fault, as the doctor looks at it. */
export function appWith(fault: Fault): App {
  const { env = {}, nodeVersion = 'v24.21.0', configFile } = fault
  return appIn({ folder: makeApp(fault), host: { ...VARIABLES, ...env }, nodeVersion, configFile })
}

/** All that the doctor finds in an app with this fault. */
export async function examined(fault: Fault): Promise<Finding[]> {
  return (await examine(appWith(fault), { offline: true })).flatMap(({ findings }) => findings)
}

/** What is not in order: a name and how bad it is for each. */
export async function faultsOf(fault: Fault): Promise<string[]> {
  const found = await examined(fault)
  return found.filter(({ severity }) => severity !== 'ok').map(({ id, severity }) => `${severity} ${id}`)
}
