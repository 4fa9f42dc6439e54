export type { SvcTestSpan } from './span.ts'
export { SvcTestingModule } from './svc-testing.module.ts'
export { SvcTesting } from './svc-testing.ts'
