export type { WaitOptions } from './arrivals.ts'
export type { PlannedReply, Reply } from './http/replies.ts'
export { type LocalOptions, type LocalService, startLocal } from './local.ts'
export type { PlaygroundOptions, VendorAccess } from './playground-options.ts'
export type { ReceivedCall, ReceivedRequest } from './requests.ts'
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
} from './store/observation.ts'
export type { Attributes, ReceivedEvent, ReceivedLink, ReceivedSpan, Value } from './store/received.ts'
export type { Score, ScoreSource } from './store/score.ts'
export { renderTrace } from './trace/render.ts'
export type { Trace, TraceObservation } from './trace/trace.ts'
