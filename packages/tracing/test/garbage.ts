import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const gc: () => void = runInNewContext('gc')

/** Collects garbage until `done`, or gives up after a while. */
export async function collectUntil(done: () => boolean): Promise<void> {
  for (let round = 0; round < 500 && !done(); round += 1) {
    gc()
    await turn()
  }
}
