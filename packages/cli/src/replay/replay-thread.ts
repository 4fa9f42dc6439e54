import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { RecordedObservation } from '../traces/trace-file.ts'
import { callsOf } from './recording.ts'
import { Replayer } from './replayer.ts'
import { startReplayServer } from './server.ts'

/** The thread of `replay()`. */
const { observations, differences } = workerData as {
  readonly observations: readonly RecordedObservation[]
  readonly differences: MessagePort
}
const report = (difference: string) => differences.postMessage(difference)
const replayer = new Replayer({ calls: callsOf(observations), isLiveAfter: false, onDivergence: 'fail', report })
startReplayServer(replayer).then(({ url }) => parentPort?.postMessage(url))
// A server alone would let the thread end.
parentPort?.on('message', () => undefined)
