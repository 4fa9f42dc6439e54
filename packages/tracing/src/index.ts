export type { Logger, LoggerOptions } from '@svc/core/log'
export { configureGlobalLogger, createLogger, getGlobalLogger, LogLevel, resetGlobalLogger } from '@svc/core/log'
export { setRoute } from '@svc/core/request-route'
export { withoutSvcBaggage } from '@svc/core/trust'
export { startActiveObservation } from './active.ts'
export type {
  ObservationLevel,
  OpenAiUsage,
  PromptReference,
  SvcAgentAttributes,
  SvcChainAttributes,
  SvcEmbeddingAttributes,
  SvcEvaluatorAttributes,
  SvcEventAttributes,
  SvcGenerationAttributes,
  SvcGuardrailAttributes,
  SvcObservationAttributes,
  SvcRetrieverAttributes,
  SvcSpanAttributes,
  SvcToolAttributes,
} from './attributes.ts'
export {
  SvcAgent,
  SvcChain,
  SvcEmbedding,
  SvcEvaluator,
  SvcEvent,
  SvcGeneration,
  SvcGuardrail,
  SvcRetriever,
  SvcSpan,
  SvcTool,
} from './classes.ts'
export { setActiveTraceAsPublic, updateActiveObservation } from './current.ts'
export type { AttributesOf, ObservationKind, ObservationKind as SvcObservationType } from './kinds.ts'
export type {
  ChildOptions,
  ObservationClass,
  ObservationOf,
  ObservationParts,
  ObserveOptions,
  StartActiveObservationOptions,
  StartActiveObservationOptions as StartActiveObservationContext,
  StartActiveObservationOptions as StartActiveObservationOpts,
  StartObservationOptions,
  StartObservationOptions as StartObservationOpts,
  SvcObservation,
} from './observation-types.ts'
export { observe } from './observe.ts'
export type { PropagateAttributesParams, PropagatedPromptInput } from './propagate/params.ts'
export { propagateAttributes } from './propagate/propagate.ts'
export { getSvcTracer, getSvcTracerProvider, setSvcTracerProvider } from './provider.ts'
export { SvcOtelSpanAttributes } from './span-attributes.ts'
export { startObservation } from './start.ts'
export { createTraceId, getActiveSpanId, getActiveTraceId } from './trace-id.ts'
export { createObservationAttributes } from './write.ts'
