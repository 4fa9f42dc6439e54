// Somebody else's OpenTelemetry set-up, loaded before ours.
import { trace } from '@opentelemetry/api'
import { TracerProvider } from '@opentelemetry/sdk-trace'

trace.setGlobalTracerProvider(new TracerProvider())
