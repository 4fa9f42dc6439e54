export { type SvcHealth, SvcHealthIndicator } from './svc-health.indicator.ts'
