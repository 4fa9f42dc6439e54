import { type Invocation, invocationOf, invocationsIn, wordsOf } from './shell.ts'

/** A way to start the app. */
export interface Start {
  /** Where it is defined: `package.json, script "start"`. */
  readonly where: string
  /** The name of the program: `node`, `tsx`, `next`, … */
  readonly program: string
  readonly arguments: readonly string[]
  /** Variables that are set for it. */
  readonly env: Readonly<Record<string, string>>
  /** Modules loaded before the app, in the order of Node. */
  readonly preloads: readonly string[]
  readonly envFiles: readonly string[]
  /** Whether it is meant for development. */
  readonly isForDevelopment: boolean
}

/** Programs that run an application in Node. */
const RUNNERS = new Set(
  `node tsx ts-node ts-node-esm ts-node-dev tsnd nodemon node-dev vite-node next nest pm2 pm2-runtime bun deno
  swc-node esbuild-register`.split(/\s+/),
)

/** Names of scripts that start the app. */
const SCRIPT = /^(start|serve|server|dev|develop|prod|production|worker|web)([:-].*)?$/
const FOR_DEVELOPMENT = /(^|[:-])(dev|develop|development|debug|watch)\b/

interface Files {
  /** `NODE_OPTIONS` of this shell, which scripts inherit. */
  readonly options?: string | undefined
  readonly scripts: Readonly<Record<string, string>>
  /** Returns the text of a file of the app; undefined if it does not exist. */
  readonly read: (path: string) => string | undefined
}

/** Returns the ways to start the app that its files define. */
export function startsOf(files: Files): Start[] {
  const scripts = Object.keys(files.scripts).filter((name) => SCRIPT.test(name))
  return [
    ...scripts.flatMap((name) => fromScript(name, files, inherited(files))),
    ...fromDockerfile(files),
    ...fromProcfile(files),
    ...fromPm2(files),
  ]
}

function inherited({ options }: Files): Record<string, string> {
  return options ? { NODE_OPTIONS: options } : {}
}

function fromScript(name: string, files: Files, env = {}, where = `package.json, script "${name}"`): Start[] {
  const line = files.scripts[name] ?? ''
  return invocationsIn(line).flatMap((each) => startOf(where, withEnv(each, env), FOR_DEVELOPMENT.test(name)))
}

function fromLine(line: string, where: string, files: Files, env = {}): Start[] {
  return invocationsIn(line).flatMap((each) => fromInvocation(withEnv(each, env), where, files))
}

function fromInvocation(invocation: Invocation, where: string, files: Files): Start[] {
  const script = scriptNamed(invocation.words)
  if (script !== undefined && Object.hasOwn(files.scripts, script)) {
    return fromScript(script, files, invocation.env, `${where} → script "${script}"`)
  }
  return startOf(where, invocation, false)
}

function withEnv({ env, words }: Invocation, outer: Readonly<Record<string, string>>): Invocation {
  return { env: { ...outer, ...env }, words }
}

/** Returns the script of `npm start`, `pnpm run serve` or `yarn serve`. */
function scriptNamed([program = '', ...words]: readonly string[]): string | undefined {
  if (!/^(npm|pnpm|yarn)$/.test(baseName(program))) return undefined
  return words.filter((word) => !word.startsWith('-') && !/^(run|run-script)$/.test(word))[0]
}

function startOf(where: string, { env, words }: Invocation, isForDevelopment: boolean): Start[] {
  const [first = '', ...rest] = words
  const program = baseName(first)
  if (!RUNNERS.has(program)) return []
  // `next build` and `nest build` do not run the app.
  if ((program === 'next' || program === 'nest') && !/^(start|dev)$/.test(rest[0] ?? 'start')) return []
  const given = program === 'nodemon' ? rest.filter((word) => word !== '--exec' && word !== 'node') : rest
  const options = wordsOf(env.NODE_OPTIONS ?? '')
  const execFlag = program === 'nest' ? wordsOf(valuesOf(rest, '--exec', '-e').join(' ')) : []
  const flags = [...options, ...given, ...execFlag]
  return [
    {
      where,
      program,
      arguments: given,
      env,
      // Node loads all `--require` modules before the first `--import`.
      preloads: preloadsIn(flags),
      envFiles: valuesOf(flags, '--env-file', '--env-file-if-exists'),
      isForDevelopment: isForDevelopment || flags.includes('--watch') || rest[0] === 'dev',
    },
  ]
}

/** Returns the modules that flags of Node load before the app, in this order. */
export function preloadsIn(flags: readonly string[]): string[] {
  return [...valuesOf(flags, '--require', '-r'), ...valuesOf(flags, '--import', '--loader', '--experimental-loader')]
}

function valuesOf(words: readonly string[], ...flags: string[]): string[] {
  return words.flatMap((word, at) => {
    if (flags.includes(word)) return words[at + 1] ?? []
    const flag = flags.find((each) => word.startsWith(`${each}=`))
    return flag ? word.slice(flag.length + 1) : []
  })
}

function fromDockerfile(files: Files): Start[] {
  const text = files.read('Dockerfile')?.replaceAll(/\\\r?\n/g, ' ')
  if (text === undefined) return []
  // Only the last stage becomes the image.
  const stage = text.split(/^FROM\s/im).at(-1) ?? ''
  const env: Record<string, string> = {}
  for (const [, line = ''] of stage.matchAll(/^[ \t]*ENV[ \t]+(.+)$/gim)) {
    const [, name, value] = /^(\w+)\s+(.+)$/.exec(line) ?? []
    Object.assign(env, name && value ? { [name]: value } : invocationOf(wordsOf(line)).env)
  }
  const last = (instruction: string) =>
    [...stage.matchAll(new RegExp(`^[ \\t]*${instruction}[ \\t]+(.+)$`, 'gim'))].at(-1)?.[1]
  const [entry, command] = [last('ENTRYPOINT'), last('CMD')].map((line) => line?.trim())
  if (entry === undefined && command === undefined) return []
  const words = [entry, command].flatMap((line) => (line === undefined ? [] : dockerWords(line)))
  const where = `Dockerfile, ${command === undefined ? 'ENTRYPOINT' : 'CMD'}`
  return fromLine(words.map(quoted).join(' '), where, files, env)
}

function dockerWords(line: string): string[] {
  try {
    const words: unknown = JSON.parse(line)
    if (Array.isArray(words)) return words.map(String)
  } catch {
    // The shell form, which is not JSON.
  }
  return wordsOf(line)
}

const quoted = (word: string): string => (/[\s"']/.test(word) ? `"${word.replaceAll('"', '\\"')}"` : word)

function fromProcfile(files: Files): Start[] {
  const lines = [...(files.read('Procfile') ?? '').matchAll(/^([\w-]+):\s*(.+)$/gm)]
  return lines.flatMap(([, name, line = '']) => fromLine(line, `Procfile, ${name}`, files))
}

const PM2_FILES = ['ecosystem.config.js', 'ecosystem.config.cjs', 'ecosystem.config.mjs', 'ecosystem.json', 'pm2.json']

/** Reads the text of the file without executing it. */
function fromPm2(files: Files): Start[] {
  return PM2_FILES.flatMap((path) => {
    const text = files.read(path)
    if (text === undefined) return []
    const [script = ''] = textsAfter(text, /["']?script["']?/)
    const flags = textsAfter(text, /["']?(?:node_?args|interpreter_?args)["']?/i).flatMap(wordsOf)
    const [options] = textsAfter(text, /["']?NODE_OPTIONS["']?/)
    const env: Record<string, string> = options === undefined ? {} : { NODE_OPTIONS: options }
    return startOf(path, { env, words: ['node', ...flags, script] }, false)
  })
}

/** Returns the string, or the array of strings, of a key in an object literal. */
function textsAfter(text: string, key: RegExp): string[] {
  const [, value = ''] =
    new RegExp(
      `${key.source}\\s*:\\s*(\\[[^\\]]{0,5000}\\]|"[^"]{0,5000}"|'[^']{0,5000}'|\`[^\`]{0,5000}\`)`,
      key.flags,
    ).exec(text) ?? []
  return [...value.matchAll(/"([^"]*)"|'([^']*)'|`([^`]*)`/g)].map(([, one, two, three]) => one ?? two ?? three ?? '')
}

function baseName(program: string): string {
  const file = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1)
  return file.replace(/\.(exe|cmd|[cm]?js)$/, '')
}
