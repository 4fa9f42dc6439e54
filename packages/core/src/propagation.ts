export { propagation } from '@opentelemetry/api'
