import type { ExecutionContext } from '@nestjs/common'
import { marksOf } from '../decorators/marks.ts'
import type { SvcSettings } from '../settings.ts'

/** What is recorded of a handler by itself. What is switched off stays empty, whatever models say below. */
export interface Capture {
  readonly input: boolean | undefined
  readonly output: boolean | undefined
}

/** What a decorator says wins over what the module says. */
export function captureOf(host: ExecutionContext, settings: SvcSettings): Capture {
  const { captureInput, captureOutput } = marksOf(host.getClass(), host.getHandler())
  return { input: captureInput ?? settings.captureInput, output: captureOutput ?? settings.captureOutput }
}
