import { attempt } from '@svc/core/attempt'
import { asRecord } from '../gen-ai/read.ts'
import { tapPromise } from './tap-promise.ts'
import type { ToolRun } from './tool-run.ts'
import { wrapSteps } from './wrap-steps.ts'

/**
 * Runs the methods of a loop's iterator within the run, which ends with the loop. The iterator stays the library's own
 * object.
 */
export function followLoop(iterator: unknown, run: ToolRun): unknown {
  const stepDone = (result: unknown) => asRecord(result).done === true && run.end()
  attempt('follow a loop', () =>
    wrapSteps(iterator, (name, step) =>
      tapPromise(run.within(step), {
        // `return` and `throw` are called when the application leaves its `for await`, before or after the last turn.
        value: (result) => (name === 'next' ? stepDone(result) : run.readerLeft()),
        error: (reason) => run.fail(reason),
      }),
    ),
  )
  return iterator
}
