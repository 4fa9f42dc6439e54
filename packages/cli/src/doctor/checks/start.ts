import type { SourceFile } from '../../files/source-file.ts'
import { SVC } from '../../own-command.ts'
import { plainWord } from '../../shell-word.ts'
import type { App } from '../app/app.ts'
import { wordsOf } from '../app/shell.ts'
import { preloadsIn, type Start } from '../app/start.ts'
import type { Finding } from '../finding.ts'

const PRELOAD = /(^|[\\/])@svc[\\/]register\b/

/** Preloads that may come first, because they load no LLM library: compilers and loaders of variables. */
const HARMLESS = /^(tsx|ts-node|@swc-node\/register|tsconfig-paths|source-map-support|dotenv|node:)/

/** Checks how the app is started, and that the preload comes first. */
export function checkStart(app: App): Finding[] {
  if (app.manifest === undefined) {
    const isThere = app.read('package.json') !== undefined
    return [
      {
        id: 'no-app',
        severity: 'warning',
        seen: isThere ? 'package.json is not a JSON object' : `no package.json in ${app.folder}`,
        means: 'It is unknown how the app is started and what is installed.',
        remedy: isThere ? 'npm pkg get shows the mistake.' : `Run ${SVC} doctor in the folder of the app.`,
      },
    ]
  }
  return [checkInstalled, checkStarts, checkNestModule, checkRuntimes, checkJest].flatMap((check) => check(app))
}

function checkInstalled({ packages, starts, sources }: App): Finding[] {
  const uses = ['@svc/register', '@svc/otel', '@svc/nestjs', '@svc/next'].some((name) => packages.resolve(name))
  if (uses) return []
  const isMeant = starts.some(hasPreload) || sources.some(({ text }) => text.includes('@svc/'))
  return [
    {
      id: 'not-installed',
      severity: 'error',
      seen: '@svc/register is not installed here',
      ...(isMeant && { means: 'The app uses it and cannot start without it.' }),
      remedy: 'npm i @svc/register',
    },
  ]
}

function checkStarts(app: App): Finding[] {
  const { starts, framework } = app
  if (framework === 'next' || starts.length === 0) return []
  const inCode = startedInCode(app)
  return starts.flatMap((start) => checkOrder(start) ?? (inCode ? [] : missingIn(start)))
}

/** Checks which modules are loaded before the preload; undefined without the preload. */
function checkOrder({ where, preloads }: Start): Finding | undefined {
  const at = preloads.findIndex((name) => PRELOAD.test(name))
  if (at < 0) return undefined
  const before = preloads.slice(0, at).filter((name) => !HARMLESS.test(name))
  if (before.length === 0) return { id: 'preload', severity: 'ok', seen: `${where}: the preload comes first` }
  return {
    id: 'preload-not-first',
    severity: 'error',
    seen: `${where}: ${before.join(', ')} is loaded before @svc/register`,
    means:
      'Libraries that it loads are not instrumented, and if it registers an OpenTelemetry provider, svc records nothing.',
    remedy: 'Put --import @svc/register first. Node loads all --require modules before --import modules.',
  }
}

function missingIn(start: Start): Finding {
  const { where, program, arguments: words, isForDevelopment } = start
  return {
    id: 'preload-missing',
    severity: isForDevelopment ? 'warning' : 'error',
    seen: `${where}: ${[program, ...words].join(' ')}`,
    means: 'The preload is missing, so nothing is traced.',
    remedy: withPreload(start),
  }
}

function withPreload({ program, arguments: given }: Start): string {
  const words = given.map(plainWord)
  if (program === 'node' || program === 'tsx') return [program, '--import @svc/register', ...words].join(' ')
  if (program === 'nest') return [program, ...words, "--exec 'node --import @svc/register'"].join(' ')
  return "Set NODE_OPTIONS='--import @svc/register' for it."
}

/** Checks environment and code if no file defines how the app is started. */
export function checkHowToStart(app: App): Finding[] {
  const { starts, framework, manifest, variables } = app
  if (manifest === undefined || starts.length > 0 || framework === 'next') return []
  const options = preloadsIn(wordsOf(variables.find('NODE_OPTIONS')?.value ?? ''))
  if (options.some((name) => PRELOAD.test(name))) {
    return [{ id: 'preload', severity: 'ok', seen: 'NODE_OPTIONS has the preload' }]
  }
  const inCode = startedInCode(app)
  if (inCode) return [{ id: 'preload', severity: 'ok', seen: `${inCode.path} starts svc in code` }]
  return [
    {
      id: 'start-unknown',
      severity: 'warning',
      seen: 'no start script, Dockerfile, Procfile or PM2 file',
      means: 'It is unknown how the app is started.',
      remedy: `Start it with node --import @svc/register app.js. To check a run: ${SVC} doctor -- node app.js`,
    },
  ]
}

/** Returns the file that starts svc without the preload, or adds it to the app's own provider. */
function startedInCode({ sources }: App): SourceFile | undefined {
  return sources.find(({ text }) => /\bSvcSpanProcessor\b|\bSvcModule\b|@svc\/register\b/.test(text))
}

function checkNestModule({ framework, sources, starts }: App): Finding[] {
  if (framework !== 'nest' || starts.some(hasPreload)) return []
  const file = sources.find(({ text }) => /\bSvcModule\b/.test(text))
  if (!file || sources.some(({ text }) => /@svc\/register\b/.test(text))) return []
  return [
    {
      id: 'nest-without-preload',
      severity: 'warning',
      seen: `${file.path} imports SvcModule, and nothing starts the preload`,
      means: 'SvcModule starts svc when Nest creates it: libraries imported before are not instrumented.',
      remedy: 'node --import @svc/register dist/main.js',
    },
  ]
}

/** Reports programs other than Node. */
function checkRuntimes({ starts }: App): Finding[] {
  return starts
    .filter(({ program }) => program === 'bun' || program === 'deno')
    .map(({ where, program }) => ({
      id: 'runtime',
      severity: 'error',
      seen: `${where}: ${program}`,
      means: `${program} does not support module hooks, so LLM libraries are not instrumented.`,
      remedy: 'Start the app with Node, or pass the libraries to instrument() of @svc/instrumentation.',
    }))
}

/** Reports Jest, which loads the modules of a test itself, so that Node's hooks do not apply. */
function checkJest({ manifest }: App): Finding[] {
  const scripts = Object.entries(manifest?.scripts ?? {}).filter(([, line]) => /(^|[\s/])jest(\s|$)/.test(line))
  return scripts.slice(0, 1).map(([name]) => ({
    id: 'jest',
    severity: 'info',
    seen: `package.json, script "${name}" runs Jest`,
    means: 'Jest loads modules itself, so calls in tests are not recorded. The app is not affected.',
    remedy: 'To check traces in a test, start the app as a child process with startLocal of @svc/local.',
  }))
}

export function hasPreload({ preloads }: Pick<Start, 'preloads'>): boolean {
  return preloads.some((name) => PRELOAD.test(name))
}
