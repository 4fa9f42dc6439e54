// An application's own set-up of OpenTelemetry, with our processor in it.
import { NodeSDK } from '@opentelemetry/sdk-node'
import { SvcSpanProcessor } from '@svc/otel'

const processor = new SvcSpanProcessor()
new NodeSDK({ spanProcessors: [processor], textMapPropagator: null }).start()
globalThis.flush = () => processor.forceFlush()
