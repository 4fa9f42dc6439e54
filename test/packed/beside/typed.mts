// The types of the processor beside those of the SDK that is installed.

import { isDefaultExportSpan, SvcSpanProcessor } from '@svc/otel'
import { InMemorySpanExporter, type ReadableSpan, type SpanExporter, type SpanProcessor } from 'sdk'

const exporter: SpanExporter = new InMemorySpanExporter()
const isWanted = ({ otelSpan }: { otelSpan: ReadableSpan }): boolean => isDefaultExportSpan(otelSpan)
export const processors: SpanProcessor[] = [new SvcSpanProcessor({ exporter, shouldExportSpan: isWanted })]
