import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** A process that does what one message says after the other, and answers each with a message. */
export interface ManyRuns<Result> {
  /** Resolves with the answer; rejects if the process ends before. One message waits for the other. */
  run(message: object): Promise<Result>
}

/** Starts `node program` with the first message, without colours. It ends with the process of the tests. */
export function manyRuns<Result>(program: string): ManyRuns<Result> {
  let host: ChildProcess | undefined
  let last: Promise<unknown> = Promise.resolve()

  return {
    run(message) {
      const answered = last.then(() => ask(message))
      last = answered.catch(() => {})
      return answered
    },
  }

  async function ask(message: object): Promise<Result> {
    host ??= start()
    const settled = new AbortController()
    const crashed = once(host, 'exit', settled).then(([code, signal]) => {
      throw new Error(`${program} crashed (${code ?? signal})`)
    })
    try {
      const answered = once(host, 'message', settled)
      host.send(message)
      const [result] = await Promise.race([answered, crashed])
      return result
    } finally {
      crashed.catch(() => {})
      settled.abort()
    }
  }

  function start(): ChildProcess {
    const env = { ...inherited(), NO_COLOR: '1' } as unknown as NodeJS.ProcessEnv
    const started = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [], env })
    started.once('exit', () => {
      host = undefined
    })
    started.unref()
    started.channel?.unref()
    return started
  }
}

/** The variables that finding programs needs. */
export function inherited(): Readonly<Record<string, string | undefined>> {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR }
}
