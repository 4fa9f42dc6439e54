import { createParamDecorator } from '@nestjs/common'
import { getActiveTraceId } from '@svc/tracing'

/**
 * The trace id of the request or message: 32 hex digits; undefined where nothing is traced.
 *
 * @example
 * @Post()
 * ask(@Body() question: Question, @TraceId() traceId: string | undefined) {}
 */
export const TraceId = createParamDecorator((): string | undefined => getActiveTraceId())
