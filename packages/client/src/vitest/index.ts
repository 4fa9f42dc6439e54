export type {
  ExperimentData,
  SvcExperimentOptions,
  Threshold,
} from './options.ts'
export { type ReplayedTrace, replay } from './replay.ts'
export type { ExperimentSummary, SummaryItem, SummaryScore } from './summary.ts'
export { type SvcExperiment, svcExperiment } from './svc-experiment.ts'
