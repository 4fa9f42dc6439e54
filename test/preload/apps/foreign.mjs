// Somebody else's OpenTelemetry set-up, loaded before ours or after it.
import { trace } from '@opentelemetry/api'
import { TracerProvider } from '@opentelemetry/sdk-trace'

trace.setGlobalTracerProvider(new TracerProvider())
