import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { NodeSDK } from '@opentelemetry/sdk-node'

new NodeSDK({ serviceName: 'bench', traceExporter: new OTLPTraceExporter() }).start()
