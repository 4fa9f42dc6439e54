export type { WaitOptions } from './arrivals.ts'
export type { PlannedReply, Reply } from './http/replies.ts'
export { DEFAULT_KEYS, type LocalOptions, type LocalService, startLocal } from './local.ts'
export type {
  ChatHalf,
  ChatMessage,
  ChatView,
  ExperimentItem,
  Level,
  Observation,
  ObservationType,
  ToolCall,
  ToolDefinition,
} from './observation.ts'
export type { Attributes, ReceivedEvent, ReceivedLink, ReceivedSpan, Value } from './received.ts'
export { renderTrace } from './render.ts'
export type { ReceivedCall, ReceivedRequest } from './requests.ts'
export type { Score, ScoreSource } from './store/score.ts'
export type { Trace, TraceObservation } from './trace.ts'
