import { HELP, readArguments } from './cli-arguments.ts'
import { isLoopback } from './http/host.ts'
import { type LocalOptions, type LocalService, startLocal } from './local.ts'

/** Exit codes: what was asked could not be done; what was asked makes no sense. */
const FAILED = 1
const MISUSED = 2

const say = (text: string) => process.stdout.write(`${text}\n`)
const complain = (text: string) => process.stderr.write(`svc-local: ${text}\n`)

async function run(args: readonly string[]): Promise<number | undefined> {
  const wish = readArguments(args)
  if ('error' in wish) {
    complain(`${wish.error}. See svc-local --help.`)
    return MISUSED
  }
  if ('help' in wish) {
    say(HELP)
    return 0
  }
  try {
    const local = await startLocal(wish.options)
    closeOnSignal(local)
    announce(local, wish.options)
    return undefined
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error))
    return FAILED
  }
}

function announce({ url, env }: LocalService, { host = '127.0.0.1', db }: LocalOptions): void {
  if (!isLoopback(host)) complain(`${host} is reachable from other machines; whoever has the keys can read the traces.`)
  const lines = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  say([`svc-local ${url} (${db === undefined ? 'in memory' : `kept in ${db}`})`, '', ...lines, ''].join('\n'))
}

// `once`: a second Ctrl-C ends a close that hangs.
function closeOnSignal(local: LocalService): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void local.close())
}

void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
