import { createParamDecorator } from '@nestjs/common'
import { getActiveTraceId } from '@svc/tracing'

/**
 * The trace id of the request or message: 32 hex digits; undefined where nothing is traced.
 *
 * @example
 * @Post()
 * ask(@Body() question: Question, @SvcTraceId() traceId: string | undefined) {}
 */
export const SvcTraceId = createParamDecorator((): string | undefined => getActiveTraceId())
