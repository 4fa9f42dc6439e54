import { ENDED_EARLY } from '@svc/core/open-calls'
import type { Recorder } from './ending.ts'
import type { ObservationKind } from './kinds.ts'
import type { BaseObservation } from './observation-types.ts'
import { writeObservation } from './write.ts'

/** Options of {@link recorderOf}, in which the helpers differ. */
export interface RecorderOptions {
  readonly endOnExit: boolean
  readonly captureOutput: boolean
  readonly failed: Recorder['failed']
}

export function recorderOf(
  observation: BaseObservation<ObservationKind>,
  { endOnExit, captureOutput, failed }: RecorderOptions,
): Recorder {
  const { otelSpan, type } = observation
  return {
    captureOutput: captureOutput && otelSpan.isRecording(),
    output: (output) => writeObservation(otelSpan, type, { output }),
    failed,
    endAtExit: () => {
      if (endOnExit) writeObservation(otelSpan, type, { statusMessage: ENDED_EARLY })
    },
    end: (at) => {
      if (endOnExit) observation.end(at)
    },
  }
}
