import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { RunOptions } from '../../support/run.ts'

const MANY_COMMANDS = fileURLToPath(new URL('./many-commands.mjs', import.meta.url))

interface SvcEnded {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

let host: ChildProcess | undefined
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs `svc …args` with the result of a process that is started for it, but in one process for all: a process for each
 * would spend nine tenths of its time on loading. That `svc` as a process ends by itself is tested in svc.test.ts.
 */
export function runSvc(args: readonly string[], { cwd = process.cwd(), env }: RunOptions = {}): Promise<SvcEnded> {
  const ended = last.then(() => request({ args, cwd, env: { ...inherited(), SVC_TIMEOUT: '60', ...env } }))
  last = ended.catch(() => {})
  return ended
}

async function request(command: object): Promise<SvcEnded> {
  host ??= start()
  const settled = new AbortController()
  const crashed = once(host, 'exit', settled).then(([code, signal]) => {
    throw new Error(`svc crashed (${code ?? signal})`)
  })
  try {
    const answered = once(host, 'message', settled)
    host.send(command)
    const [ended] = await Promise.race([answered, crashed])
    return ended
  } finally {
    crashed.catch(() => {})
    settled.abort()
  }
}

function inherited() {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR }
}

/** It ends with the process of the tests. */
function start(): ChildProcess {
  const env = inherited() as NodeJS.ProcessEnv
  const started = fork(MANY_COMMANDS, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [], env })
  started.once('exit', () => {
    host = undefined
  })
  started.unref()
  started.channel?.unref()
  return started
}
