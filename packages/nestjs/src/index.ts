export { type ObserveMethodOptions, SvcObserve, SvcObserve as Observe } from './decorators/svc-observe.ts'
export { SvcPublicTrace, SvcPublicTrace as PublicTrace } from './decorators/svc-public-trace.ts'
export { SvcSkip, SvcSkip as SkipSvc } from './decorators/svc-skip.ts'
export { SvcTrace, type SvcTraceValues } from './decorators/svc-trace.ts'
export { SvcTraceId, SvcTraceId as TraceId } from './decorators/svc-trace-id.ts'
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
export { SVC_MODULE_OPTIONS } from './svc.module-definition.ts'
export { type SvcIdentity, SvcService, type SvcTraceUpdate } from './svc.service.ts'
export { SvcBindGuard } from './svc-bind.guard.ts'
export { SvcSerializer } from './svc-serializer.ts'
