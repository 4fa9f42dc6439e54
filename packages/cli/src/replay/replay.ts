import { once } from 'node:events'
import { extname } from 'node:path'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { readTraceFile } from '../traces/trace-file.ts'
import { redirectTo } from './redirect.ts'
import { watchPlaces } from './tree-place.ts'

/** As this file: of the sources in `src`, of the build in `dist`. */
const PROGRAM = new URL(`replay-thread${extname(import.meta.url)}`, import.meta.url)

/** The trace that answers the requests of this process. */
export interface Replay {
  /** Returns what differed so far, a line for each request that failed because of it. */
  differences(): readonly string[]
  /** Lets requests go to the models again. */
  close(): Promise<void>
}

/**
 * Answers the requests to models of this process from a trace, for tests of an agent that ask no model. A request that
 * differs from the trace fails, with a message that names the difference. Call it before what sends requests is imported.
 *
 * @param fixture the path of a file that `svc traces export` wrote
 * @throws {TypeError} for a file that is no trace
 * @example
 * const { close, differences } = await replay('refund.json')
 * afterAll(close)
 * it('says that shoes can be returned', async () => expect(await agent('Can I return shoes?')).toContain('30 days'))
 */
export async function replay(fixture: string | URL): Promise<Replay> {
  const { observations } = readTraceFile(fixture)
  const { port1, port2 } = new MessageChannel()
  // A server in this thread would be one of the application: its requests would be recorded.
  const thread = new Worker(PROGRAM, {
    workerData: { observations, differences: port2 },
    transferList: [port2],
    execArgv: [],
    env: {},
  })
  thread.unref()
  const [url] = (await once(thread, 'message')) as [string]
  const undo = redirectTo(url)
  watchPlaces()
  const lines: string[] = []
  return {
    differences() {
      // Read at once: a line is there before the answer to its request.
      for (let next = receiveMessageOnPort(port1); next; next = receiveMessageOnPort(port1)) lines.push(next.message)
      return lines
    },
    async close() {
      undo()
      port1.close()
      await thread.terminate()
    },
  }
}
