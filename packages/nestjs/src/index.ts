export { Observe, type ObserveMethodOptions } from './decorators/observe.ts'
export { PublicTrace } from './decorators/public-trace.ts'
export { SkipSvc } from './decorators/skip-svc.ts'
export { SvcTrace, type SvcTraceValues } from './decorators/svc-trace.ts'
export { TraceId } from './decorators/trace-id.ts'
export {
  type SvcModuleExtras,
  type SvcModuleOptions,
  SvcOptionsError,
  type SvcOptionsFactory,
  type SvcResolver,
  type SvcRoute,
} from './options.ts'
export { type SvcPreRequestHook, svcPreRequestHook } from './pre-request-hook.ts'
export { SvcInterceptor } from './svc.interceptor.ts'
export { SvcModule } from './svc.module.ts'
export { type SvcIdentity, SvcService, type SvcTraceUpdate } from './svc.service.ts'
export { SvcBindGuard } from './svc-bind.guard.ts'
