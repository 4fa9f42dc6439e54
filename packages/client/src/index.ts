export { DatasetManager } from './dataset/dataset-manager.ts'
export type {
  CreateDatasetItemBody,
  FetchedDataset,
  GetDatasetOptions,
  RunExperimentOnDataset,
  SvcDatasetItem,
} from './dataset/dataset-types.ts'
export { createEvaluatorFromAutoevals } from './experiment/autoevals.ts'
export type { DeletedExperiment, ExperimentToDelete } from './experiment/delete-experiment.ts'
export { ExperimentManager } from './experiment/experiment-manager.ts'
export type {
  Evaluation,
  Evaluator,
  EvaluatorParams,
  ExperimentItem,
  ExperimentItemResult,
  ExperimentLimits,
  ExperimentParams,
  ExperimentResult,
  ExperimentTask,
  ExperimentTaskParams,
  FailedItem,
  FormatOptions,
  RunEvaluator,
  RunEvaluatorParams,
} from './experiment/experiment-types.ts'
export { RegressionError, type RegressionErrorParams } from './experiment/regression-error.ts'
export { RunnerContext, type RunnerContextParams } from './experiment/runner-context.ts'
export type { CreateChatPromptBody } from './prompt/create-request.ts'
export { ChatPromptClient, type SvcPromptClient, TextPromptClient } from './prompt/prompt-client.ts'
export { PromptManager, type PromptUpdate } from './prompt/prompt-manager.ts'
export type { GetPromptOptions, PromptClientOf, PromptFallback, PromptKind } from './prompt/prompt-options.ts'
export {
  type ChatMessageOrPlaceholder,
  ChatMessageType,
  type LangchainMessagesPlaceholder,
  type PromptMessage,
  type PromptPlaceholder,
  type PromptPlaceholders,
} from './prompt/prompt-types.ts'
export type { PromptVariables } from './prompt/template.ts'
