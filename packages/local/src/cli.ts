import { hostEnvironment } from '@svc/core/environment'
import { foreignText } from '@svc/core/foreign-text'
import { readSettings } from '@svc/core/setting'
import { playgroundSettings, publicKey, secretKey } from '@svc/core/settings'
import { assignment, helpOf, readArguments } from './cli-arguments.ts'
import { isLoopback } from './http/host.ts'
import { type LocalOptions, type LocalService, startLocal } from './local.ts'
import type { PlaygroundOptions } from './playground-options.ts'

/** Exit codes: the service could not start; the arguments are invalid. */
const FAILED = 1
const MISUSED = 2

const say = (text: string) => process.stdout.write(`${text}\n`)

/**
 * Starts the service with the options of the command line, and closes it on Ctrl-C.
 *
 * @param args what follows the name of the program
 * @param program what the user typed: `svc-local`, or `svc local` of `@svc/cli`
 * @returns the exit code; undefined while the service runs
 */
export async function run(args: readonly string[], program = 'svc-local'): Promise<number | undefined> {
  const complain = (text: string) => process.stderr.write(`${program}: ${foreignText(text, 2_000)}\n`)
  const parsed = readArguments(args)
  if ('error' in parsed) {
    complain(`${parsed.error}. See ${program} --help.`)
    return MISUSED
  }
  if ('help' in parsed) {
    say(helpOf(program))
    return 0
  }
  try {
    const given = { ...keysFrom(parsed.options, complain), ...parsed.options }
    const local = await startLocal({ ...given, playground: playgroundFrom(complain) })
    closeOnSignal(local)
    const { host = '127.0.0.1' } = parsed.options
    if (!isLoopback(host)) {
      complain(`${host} is reachable from other machines: anyone with the keys can read the traces.`)
    }
    announce(local, parsed.options)
    return undefined
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error))
    return FAILED
  }
}

/** The project's keys of the environment, where other machines can reach the service. On this one all know them. */
function keysFrom({ host = '127.0.0.1' }: LocalOptions, report: (line: string) => void): LocalOptions {
  if (isLoopback(host)) return {}
  const found = Object.entries(readSettings({ publicKey, secretKey }, {}, hostEnvironment, report))
  return Object.fromEntries(found.filter(([, key]) => key !== undefined))
}

/** The keys of the environment, for the playground. */
function playgroundFrom(report: (line: string) => void): PlaygroundOptions {
  const { openaiKey, openaiBaseUrl, anthropicKey, anthropicBaseUrl } = readSettings(
    playgroundSettings,
    {},
    hostEnvironment,
    report,
  )
  return {
    openai: openaiKey === undefined || openaiBaseUrl === '' ? undefined : { apiKey: openaiKey, baseUrl: openaiBaseUrl },
    anthropic:
      anthropicKey === undefined || anthropicBaseUrl === ''
        ? undefined
        : { apiKey: anthropicKey, baseUrl: anthropicBaseUrl },
  }
}

function announce({ pageUrl, env }: LocalService, { db }: LocalOptions): void {
  const lines = Object.entries(env).map(([name, value]) => assignment(name, value, process.platform))
  say(
    [`svc-local ${pageUrl} (${db === undefined ? 'kept until it stops' : `kept in ${db}`})`, '', ...lines, ''].join(
      '\n',
    ),
  )
}

// `once`: a second Ctrl-C ends a close that hangs.
function closeOnSignal(local: LocalService): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void local.close())
}
