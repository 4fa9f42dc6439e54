import { SetMetadata } from '@nestjs/common'
import type { PropagateAttributesParams } from '@svc/tracing'
import { MARK } from './marks.ts'

/** The name of a trace, and values that all traces of a handler share. */
export interface SvcTraceValues
  extends Omit<PropagateAttributesParams, 'traceName' | 'asBaggage' | '_internalExperiment'> {
  /** Name of the trace: at most 200 characters. */
  readonly name?: string | undefined
  /** Record the body or payload as input of the root, or do not, whatever the module says. */
  readonly captureInput?: boolean | undefined
  /** Record what the handler returns as output of the root, or do not, whatever the module says. */
  readonly captureOutput?: boolean | undefined
}

/**
 * Gives values to every span of a handler, or of all handlers of a class. What a method says wins over its class; tags
 * are joined, metadata is merged by key.
 *
 * @example
 * @Controller('chat')
 * @SvcTrace({ name: 'chat', tags: ['chat'] })
 * export class ChatController {}
 */
export function SvcTrace(values: SvcTraceValues) {
  return SetMetadata(MARK.TRACE, values)
}
