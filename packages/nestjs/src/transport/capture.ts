import type { Marks } from '../decorators/marks.ts'
import type { SvcSettings } from '../settings.ts'

/** What is recorded of a handler by itself. What is switched off stays empty, whatever models say below. */
export interface Capture {
  readonly input: boolean | undefined
  readonly output: boolean | undefined
}

/** What a decorator says wins over what the module says. */
export function captureOf({ captureInput, captureOutput }: Marks, settings: SvcSettings): Capture {
  return { input: captureInput ?? settings.captureInput, output: captureOutput ?? settings.captureOutput }
}
