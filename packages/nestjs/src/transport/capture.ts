import { capturesContent } from '@svc/core/capture-content'
import type { Marks } from '../decorators/marks.ts'
import type { SvcSettings } from '../settings.ts'

/** What is recorded of a handler by itself. What is switched off stays empty, whatever models say below. */
export interface Capture {
  readonly input: boolean | undefined
  readonly output: boolean | undefined
}

/** What a decorator says wins over what the module says, and the variable over both. */
export function captureOf({ captureInput, captureOutput }: Marks, settings: SvcSettings): Capture {
  if (!capturesContent()) return NOTHING
  return { input: captureInput ?? settings.captureInput, output: captureOutput ?? settings.captureOutput }
}

const NOTHING: Capture = { input: false, output: false }
