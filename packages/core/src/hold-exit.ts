/**
 * The application handles `signal` itself and will call `process.exit()` or send the signal again when it is done: that
 * call waits for the flush under way, and for another one when more was recorded meanwhile. The first call decides,
 * as it would have.
 *
 * @param flushRest flushes what came after; undefined when there is nothing. Told whether the end was held until now
 *   by the flush under way.
 */
export function holdExit(
  signal: NodeJS.Signals,
  flushed: Promise<unknown>,
  flushRest: (held: boolean) => Promise<unknown> | undefined,
): void {
  const { exit, kill } = process
  let settled = false
  let ending = false
  void flushed.then(() => {
    settled = true
  })

  const end = (now: () => void) => {
    if (ending) return
    ending = true
    const then = () => {
      if (process.exit === heldExit) process.exit = exit
      if (process.kill === heldKill) process.kill = kill
      now()
    }
    const rest = settled ? flushRest(false) : flushed.then(() => flushRest(true))
    if (rest) void rest.then(then)
    else then()
  }

  const heldExit = ((...args: [code?: number]) => {
    // Refuses what is no exit code, as the real one does, and holds until then for who looks.
    if (args.length > 0) process.exitCode = args[0]
    end(() => exit.call(process))
  }) as typeof process.exit
  const heldKill = ((pid: number, sent?: string | number) => {
    if (pid !== process.pid || sent !== signal) return kill.call(process, pid, sent)
    end(() => kill.call(process, pid, sent))
    return true
  }) as typeof process.kill
  process.exit = heldExit
  process.kill = heldKill
}
