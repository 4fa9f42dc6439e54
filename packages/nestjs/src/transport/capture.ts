import { capturesContent } from '@svc/core/capture-content'
import type { Marks } from '../decorators/marks.ts'
import type { SvcSettings } from '../settings.ts'

/** Whether input and output of a handler are recorded. False keeps them empty, whatever models say below. */
export interface Capture {
  readonly input: boolean | undefined
  readonly output: boolean | undefined
}

/** Decides what to record: a decorator wins over the module, and the variable over both. */
export function captureOf({ captureInput, captureOutput }: Marks, settings: SvcSettings): Capture {
  if (!capturesContent()) return NOTHING
  return { input: captureInput ?? settings.captureInput, output: captureOutput ?? settings.captureOutput }
}

const NOTHING: Capture = { input: false, output: false }
